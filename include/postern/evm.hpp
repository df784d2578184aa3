#pragma once

// The embedded Ethereum Virtual Machine: runs bytecode or whole transactions on an in-memory state with exact gas,
// and tells where the gas went.
//
// Shapes and units: an Address is 20 bytes, a Word is a 256-bit integer as 32 big-endian bytes, gas and sizes are
// plain counts. Sources: the Yellow Paper and the EIPs named beside each rule.

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace postern::evm {

using Address = std::array<std::uint8_t, 20>;
using Word = std::array<std::uint8_t, 32>;

/// A small number as a big-endian word.
Word word(std::uint64_t value);
/// Strict: optional 0x, then exactly 40 hex digits.
Result<Address> parse_address(std::string_view hex);

/// Rule sets. Frontier exists for the legacy VM tests only (single frames, no transactions). Amsterdam is a preview
/// of the scheduled fork: EIP-2780, 7843, 7954, 7976, 8024, 8037, 8038 as their texts stood in August 2026.
enum class Fork : std::uint8_t { frontier, shanghai, cancun, prague, osaka, amsterdam };

/// "frontier" ... "amsterdam".
std::string_view name(Fork fork);
/// The reverse of name(); refuses anything else, listing what is known.
Result<Fork> parse_fork(std::string_view text);

/// Limits that a generator of contracts has to respect, in bytes or gas.
struct Limits {
    std::size_t code_size;          // EIP-170, EIP-7954
    std::size_t initcode_size;      // EIP-3860, EIP-7954
    std::uint64_t transaction_gas;  // EIP-7825 (execution gas only from EIP-8037 on); the maximum of the type where there is none
};
Limits limits(Fork fork);

// ---------------------------------------------------------------------------------------------- state

/// Accounts in memory. Copying copies everything; what is not there is an empty account.
class State {
  public:
    State();
    ~State();
    State(const State& other);
    State(State&& other) noexcept;
    State& operator=(const State& other);
    State& operator=(State&& other) noexcept;

    /// Places runtime code as it is, of any size, without running anything.
    void set_code(const Address& address, Bytes code);
    void set_balance(const Address& address, const Word& wei);
    void set_nonce(const Address& address, std::uint64_t nonce);
    /// A zero value removes the slot.
    void set_storage(const Address& address, const Word& key, const Word& value);
    void erase(const Address& address);

    bool exists(const Address& address) const;
    /// Valid until the account's code is set again or the account goes.
    ByteView code(const Address& address) const;
    Word balance(const Address& address) const;
    std::uint64_t nonce(const Address& address) const;
    Word storage(const Address& address, const Word& key) const;
    /// All slots that are not zero.
    std::map<Word, Word> storage(const Address& address) const;
    std::vector<Address> addresses() const;

    struct Impl;
    Impl& impl() { return *impl_; }
    const Impl& impl() const { return *impl_; }

  private:
    std::unique_ptr<Impl> impl_;
};

/// What the block opcodes answer.
struct Block {
    Address coinbase{};
    std::uint64_t number = 1;
    std::uint64_t timestamp = 1;
    std::uint64_t gas_limit = 60'000'000;
    std::uint64_t slot_number = 0;  // EIP-7843
    std::uint64_t chain_id = 1;
    Word base_fee{};
    Word blob_base_fee = word(1);
    Word prev_randao{};  // DIFFICULTY under Frontier rules
    /// Hash of one of the 256 blocks before this one; zero where not set.
    std::function<Word(std::uint64_t number)> block_hash;
};

// ---------------------------------------------------------------------------------------------- what to run

struct AccessListEntry {
    Address address{};
    std::vector<Word> storage_keys;
};
using AccessList = std::vector<AccessListEntry>;

/// One authorization of an EIP-7702 transaction, as signed.
struct Authorization {
    Word chain_id{};
    Address address{};
    std::uint64_t nonce = 0;
    std::uint8_t y_parity = 0;
    Word r{};
    Word s{};
};

/// A whole transaction, its sender already known (signatures are not checked here).
struct Transaction {
    Address from{};
    std::optional<Address> to;  // none: create a contract
    Word value{};
    Bytes data;
    std::uint64_t gas_limit = 16'777'216;
    /// Price of a gas unit for legacy and EIP-2930 transactions, and what GASPRICE answers for them.
    Word gas_price{};
    /// EIP-1559: if set, gas_price is ignored and the effective price is derived.
    std::optional<Word> max_fee_per_gas;
    std::optional<Word> max_priority_fee_per_gas;
    /// Checked against the sender's nonce if set.
    std::optional<std::uint64_t> nonce;
    AccessList access_list;
    /// EIP-4844; only BLOBHASH sees them, no blob gas is charged.
    std::vector<Word> blob_hashes;
    /// EIP-7702: a set-code transaction if set.
    std::optional<std::vector<Authorization>> authorization_list;
};

/// One call or creation without a transaction around it: no intrinsic gas, no fees. A creation takes the sender's
/// nonce and increments it, as CREATE does.
/// Sender, recipient, coinbase and precompiles are warm as in a transaction; everything else is cold.
struct Message {
    Address from{};
    std::optional<Address> to;  // none: `data` is init code and a contract is created
    Word value{};
    Bytes data;
    std::uint64_t gas = 1'000'000'000;
    Word gas_price{};
    std::optional<Address> origin;  // `from` if not set
    bool is_static = false;
    AccessList access_list;
};

// ---------------------------------------------------------------------------------------------- result

enum class Status : std::uint8_t { success, revert, halt, invalid };

/// Why execution stopped without an answer: everything but success and revert burns all gas of the frame.
enum class Halt : std::uint8_t {
    none,
    out_of_gas,
    stack_underflow,
    stack_overflow,
    invalid_jump,
    undefined_opcode,    // not an instruction under this fork
    invalid_opcode,      // the designated INVALID (0xfe)
    invalid_immediate,   // EIP-8024 operand outside its range
    static_violation,    // state change inside STATICCALL
    return_data_bounds,  // RETURNDATACOPY past the end (EIP-211)
    create_collision,    // EIP-684, EIP-7610
    nonce_overflow,
    code_size_limit,       // EIP-170, EIP-7954
    init_code_size_limit,  // EIP-3860
    code_first_byte,       // EIP-3541
    precompile_failure,
    insufficient_balance,
    call_depth,
    not_implemented,  // pairing, KZG and BLS12 precompiles
};
std::string_view name(Halt halt);
std::string_view name(Status status);

struct Log {
    Address address{};
    std::vector<Word> topics;
    Bytes data;
};

struct ExecutionResult {
    Status status = Status::invalid;
    Halt halt = Halt::none;
    /// One line for people: "success", "revert", "halt: out of gas", "invalid transaction: nonce too low ...".
    std::string reason;
    /// Return or revert data; the new contract's code after a successful creation is in the state, not here.
    Bytes output;
    std::optional<Address> created;
    std::vector<Log> logs;

    /// Receipt gas: after refunds and the calldata floor. Of a message: what its frame burned (no refunds).
    std::uint64_t gas_used = 0;
    /// What the top frame burned, before refunds: the figure to compare verifiers by. Includes state gas.
    std::uint64_t exec_gas = 0;
    /// Base cost, calldata, access list, init code words, authorizations; 0 for a message.
    std::uint64_t intrinsic_gas = 0;
    /// The least a transaction with this calldata pays (EIP-7623, EIP-7976); 0 where there is none.
    std::uint64_t floor_gas = 0;
    /// Refund granted (already capped, EIP-3529); of a message: the counter as it stands.
    std::uint64_t refund = 0;
    /// EIP-8037: the part of gas_used that paid for new state; 0 before Amsterdam.
    std::uint64_t state_gas = 0;
    std::uint64_t steps = 0;

    bool success() const { return status == Status::success; }
};

/// Intrinsic gas and floor of a transaction, without running it.
struct IntrinsicGas {
    std::uint64_t intrinsic = 0;
    std::uint64_t floor = 0;
};
IntrinsicGas intrinsic_gas(Fork fork, const Transaction& transaction);

// ---------------------------------------------------------------------------------------------- profiling

/// Bytes [begin, end) of a contract's code under a name. "a/b" is b inside a.
struct Region {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::string name;
};

/// The regions of one contract. Ranges may nest, the innermost counts; code outside every range is "(none)".
class RegionMap {
  public:
    RegionMap() = default;
    /// Throws std::invalid_argument for an empty range or two ranges that overlap without nesting.
    explicit RegionMap(std::vector<Region> regions);

    std::span<const Region> regions() const { return regions_; }
    /// Name of the innermost region at `pc`.
    std::string_view at(std::size_t pc) const;

  private:
    std::vector<Region> regions_;  // outer before inner
};

/// Gas by region, by opcode and by call path. Fill in what is known about the contracts, hand it to an execution through
/// Options, read the tables afterwards. Counts add up over executions until clear().
class Profile {
  public:
    Profile();
    ~Profile();
    Profile(Profile&&) noexcept;
    Profile& operator=(Profile&&) noexcept;

    /// Regions of the code at this address; `label` names the contract in paths (its address in hex if never set).
    void set_regions(const Address& address, std::string label, RegionMap map);

    struct Row {
        std::string name;
        std::uint64_t gas = 0;
        std::uint64_t steps = 0;
    };
    /// Sums exactly to the exec_gas of the executions (those that met a precompile that is not implemented have no gas
    /// figure). A call's own cost counts where the call stands, the callee's in the
    /// callee's regions ("label:region", plain "region" for the contract called first). In order of first use.
    std::vector<Row> by_region() const;
    /// Sums exactly to exec_gas as well. Opcodes that ran, dearest first.
    std::vector<Row> by_opcode() const;
    /// Lines "verifier;sample_in_ball;keccak;round 1234" for flame graphs, sorted; the numbers sum to exec_gas.
    std::string folded_stacks() const;
    /// Gas at every pc of one contract, summed over all frames that ran it: for annotated listings.
    std::vector<std::uint64_t> gas_by_pc(const Address& address) const;
    std::uint64_t total_gas() const;
    std::uint64_t total_steps() const;
    void clear();

    struct Impl;
    Impl& impl() { return *impl_; }

  private:
    std::unique_ptr<Impl> impl_;
};

// ---------------------------------------------------------------------------------------------- tracing

/// One step, as it is about to run. Views are valid during the callback only.
struct Step {
    std::uint64_t pc = 0;
    std::uint8_t op = 0;
    std::uint64_t gas = 0;       // left before the step
    std::uint64_t gas_cost = 0;  // what it took; 0 in before_step
    unsigned depth = 1;          // 1 = top frame
    std::uint64_t refund = 0;    // the refund counter before the step
    std::size_t stack_size = 0;
    std::size_t memory_size = 0;  // bytes
    Address code_address{};
    /// Stack item i, 0 = top. Only valid for i < stack_size.
    std::function<Word(std::size_t i)> stack;
};

/// Called around every instruction. Tracing is many times slower than plain execution.
class Tracer {
  public:
    virtual ~Tracer() = default;
    virtual void before_step(const Step& step) { (void)step; }
    /// The same step with gas_cost filled in (stack and memory size are those before the step). A call that runs other code is
    /// reported before its callee starts, its cost then includes the gas handed over.
    virtual void after_step(const Step& step, Halt halt) { (void)step, (void)halt; }
};

/// EIP-3155: one JSON object a step, then a summary line written by finish().
class JsonLinesTracer : public Tracer {
  public:
    explicit JsonLinesTracer(std::ostream& out);
    ~JsonLinesTracer() override;
    void before_step(const Step& step) override;
    void after_step(const Step& step, Halt halt) override;
    void finish(const ExecutionResult& result);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

// ---------------------------------------------------------------------------------------------- running

struct Options {
    Fork fork = Fork::osaka;
    Block block{};
    Profile* profile = nullptr;  // not owned
    Tracer* tracer = nullptr;    // not owned
    /// False: the state is left as it was, whatever happened.
    bool keep_changes = true;
    /// Amsterdam: gas set aside for state growth beyond a message's gas; a transaction derives its own (EIP-8037).
    std::uint64_t state_gas_reservoir = 0;
};

/// Runs one message. Refunds are not paid out. A failed message leaves the state as it was.
ExecutionResult call(State& state, const Message& message, const Options& options = {});

/// Runs one transaction: validity, intrinsic gas, fees, nonce, refund, floor, coinbase. An invalid transaction leaves the
/// state as it was and has Status::invalid. Throws std::invalid_argument for Fork::frontier.
ExecutionResult execute(State& state, const Transaction& transaction, const Options& options = {});

}  // namespace postern::evm
