#pragma once

#include <string_view>

#include "cli/console.hpp"

namespace postern::cli {

/// Says whether a signature is valid (`reason`: why it is not), as a line or as JSON; a refusal sets the exit code.
void print_verdict(bool json, bool valid, std::string_view reason, Console& console);

}  // namespace postern::cli
