#pragma once

#include "evm/machine.hpp"

namespace postern::evm {

/// Runs a request with the profile and tracer of the machine's options watching.
CallOutcome run_observed(Machine& machine, const CallRequest& request);

/// Status, halt, reason and output.
void describe(ExecutionResult& result, const CallOutcome& outcome);

}  // namespace postern::evm
