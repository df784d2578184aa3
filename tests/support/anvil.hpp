#pragma once

// An independent Ethereum client to compare with: anvil (revm) as a child process, spoken to by JSON-RPC on the loopback.

#include <filesystem>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <postern/evm.hpp>
#include <string>
#include <vector>

namespace postern::test {

/// $POSTERN_ANVIL, else node_modules/.bin/anvil of the source tree; none where neither can be executed.
std::optional<std::filesystem::path> find_anvil();

/// What anvil says about one call.
struct AnvilCall {
    bool success = false;
    std::uint64_t gas_used = 0;  // as in a receipt: after refunds and the calldata floor
    /// gas_used less the intrinsic gas: evm::ExecutionResult::exec_gas wherever nothing is refunded and the floor does not bind.
    std::uint64_t exec_gas = 0;
    Bytes output;
    std::string error;  // "execution reverted", "OutOfGas", ...; empty on success
};

class Anvil {
  public:
    /// Starts anvil under Osaka rules on a free port with base fee and gas price 0, the gas cap of EIP-7825 on and a large block.
    /// Throws std::runtime_error if it does not come up within ten seconds.
    explicit Anvil(const std::vector<std::string>& more_arguments = {});
    /// Ends the process.
    ~Anvil();
    Anvil(const Anvil&) = delete;
    Anvil& operator=(const Anvil&) = delete;

    /// The result of one request; throws std::runtime_error with the node's message for an error.
    nlohmann::json request(const std::string& method, const nlohmann::json& params);
    /// Many requests in one go: each {"method", "params"}; answers in the same order, each with "result" or "error".
    std::vector<nlohmann::json> batch(const std::vector<nlohmann::json>& requests);

    void set_code(const evm::Address& address, ByteView code);
    void set_balance(const evm::Address& address, const evm::Word& wei);
    void set_storage(const evm::Address& address, const evm::Word& key, const evm::Word& value);
    void set_nonce(const evm::Address& address, std::uint64_t nonce);

    /// Runs a call on the current state without changing it (debug_traceCall with the call tracer): exact gas at little cost.
    AnvilCall call(const evm::Address& from, const evm::Address& to, ByteView data, std::uint64_t gas_limit = 16'777'216);

    /// Sends a transaction from an account without knowing its key, and answers its receipt. With an access list it is of the kind of
    /// EIP-2930.
    nlohmann::json send(const evm::Address& from, const std::optional<evm::Address>& to, ByteView data,
                        std::uint64_t gas_limit = 16'777'216, const evm::AccessList& access_list = {});

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace postern::test

/// First line of a test that needs anvil.
#define POSTERN_REQUIRE_ANVIL() \
    if (!::postern::test::find_anvil()) GTEST_SKIP() << "anvil not found (npm ci, or set POSTERN_ANVIL)"
