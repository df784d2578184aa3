#pragma once

#include <memory>
#include <vector>

#include "evm/frame.hpp"

namespace postern::evm {

class Observer;

enum class Exit : std::uint8_t { success, revert, halt, call };

/// Runs the frames of one transaction on one journal. The host side of the interpreter: what needs the state is here.
class Machine {
  public:
    Machine(State::Impl& state, const Options& options, const Address& origin, const U256& gas_price);
    ~Machine();

    /// Marks what a transaction has warm from its start (EIP-2929, 2930, 3651).
    void warm_up(const Address& from, const std::optional<Address>& to, const AccessList& access_list);
    /// Runs a call or creation to its end. The request's value transfer, account creation and checkpoint are done here.
    CallOutcome run(const CallRequest& top);
    /// Fills in code and whether it is a precompile, following an EIP-7702 delegation without charging for it.
    void resolve_code(CallRequest& request) const;

    bool is_precompile(const Address& a) const;
    /// The address a creation by `creator` gets, and the collision check of EIP-684 and 7610.
    static Address create_address(const Address& creator, std::uint64_t nonce);
    static Address create2_address(const Address& creator, const U256& salt, ByteView init_code);

    // State gas, EIP-8037: from the reservoir first, then from the gas left.
    bool charge_state_gas(GasMeter& f, Gas amount);
    void refill_state_gas(GasMeter& f, Gas amount);

    // Instructions that need the state. `top` points at the top of the stack; the result goes where the last operand was.
    Halt sload(Frame& f, U256* top);
    Halt sstore(Frame& f, const U256* top);
    Halt account_access(Frame& f, const Address& a);
    Halt extcodecopy(Frame& f, const U256* top);
    Halt log(Frame& f, unsigned topics, const U256* top);
    Halt selfdestruct(Frame& f, const U256* top);
    /// Prepare `request` from the operands.
    Halt prepare_call(Frame& f, Op kind, const U256* top);
    /// `skipped`: the creation fails without having been tried (balance, depth, nonce).
    Halt prepare_create(Frame& f, Op kind, const U256* top, bool& skipped);
    U256 block_hash(const U256& number) const;

    const Schedule schedule;
    const OpRule* const rules;
    const Options& options;
    Journal journal;
    Observer* observer = nullptr;  // none: nobody watches
    std::uint64_t steps = 0;

    // Environment of the whole transaction.
    U256 origin;
    U256 gas_price;
    U256 coinbase;
    U256 base_fee;
    U256 blob_base_fee;
    U256 prev_randao;
    std::vector<U256> blob_hashes;

    CallRequest request;

    Gas reservoir = 0;
    Gas state_gas_used = 0;

  private:
    /// Starts a request: either a new frame on top, or an outcome at once.
    std::optional<CallOutcome> enter(const CallRequest& r);
    CallOutcome run_precompile_call(const CallRequest& r, const Journal::Checkpoint& checkpoint);
    /// Ends everything at once, undone.
    CallOutcome abandon(const CallRequest& top, Halt why);
    /// Ends the top frame.
    CallOutcome leave(Frame& f, Exit exit, Halt halt);
    Halt deposit_code(Frame& f, ByteView code);
    /// Hands an outcome to the frame that asked for it.
    void resume(Frame& f, const CallRequest& r, CallOutcome outcome);

    std::vector<std::unique_ptr<Frame>> frames_;
    std::size_t active_ = 0;
};

/// Runs a frame until it ends or makes a call. Instantiated with and without somebody watching.
template <bool kObserved>
Exit interpret(Machine& m, Frame& f, Halt& halt);

}  // namespace postern::evm
