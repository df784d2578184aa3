#include "contracts/mldsa/verifier.hpp"

#include "contracts/catalogue.hpp"
#include "contracts/mldsa/registry.hpp"
#include "contracts/registry_pins.hpp"

namespace postern::contracts::mldsa_evm {

namespace {

struct Labels {
    Label revert, reject, parse, signature, pass_b, theta;
};

/// Subroutine: [head position] -> [size, data offset] of a dynamic `bytes` argument. Reverts unless offset and length are below
/// 2^32 and everything lies inside calldata.
void emit_parse(Kernel& k, const Labels& l) {
    k.set_stack({});
    k.argument();
    k.argument();
    k.bind(l.parse);
    k.begin_region("abi");
    k.swap(1);
    k.op(Op::CALLDATALOAD);
    k.dup(k.top());
    k.with(Op::SHR, 32);
    k.jumpi(l.revert);
    const V at = k.with(Op::ADD, 36);  // selector and length word
    k.op(Op::CALLDATASIZE);
    k.dup(at);
    k.op(Op::GT);
    k.jumpi(l.revert);
    k.push(32);
    k.dup(at);
    k.op(Op::SUB);
    const V size = k.op(Op::CALLDATALOAD);
    k.dup(size);
    k.with(Op::SHR, 32);
    k.jumpi(l.revert);
    k.op(Op::CALLDATASIZE);
    k.dup(size);
    k.dup(at);
    k.op(Op::ADD);
    k.op(Op::GT);
    k.jumpi(l.revert);
    k.swap(2);
    k.jump_dynamic();
    k.end_region();
}

class Doors {
  public:
    Doors(Kernel& k, const Plan& plan, const Labels& l) : k_(k), plan_(plan), l_(l) {}

    void emit() {
        k_.begin_region("abi");
        k_.op(Op::CALLVALUE);
        k_.jumpi(l_.revert);
        k_.push(4);
        k_.op(Op::CALLDATASIZE);
        k_.op(Op::LT);
        k_.jumpi(l_.revert);
        k_.push(0);
        k_.op(Op::CALLDATALOAD);
        const V selector = k_.with(Op::SHR, 224);
        const auto infos = entry_points(kDoors);
        std::vector<Label> labels;
        for (const EntryPoint& e : infos) {
            labels.push_back(k_.label());
            k_.dup(selector);
            k_.with(Op::XOR, e.selector);
            k_.op(Op::ISZERO);
            k_.jumpi(labels.back());
        }
        k_.jump(l_.revert);
        for (std::size_t i = 0; i < infos.size(); ++i) {
            k_.set_stack({selector});
            k_.bind(labels[i]);
            k_.pop();
            body(infos[i]);
            if (i + 1 < infos.size()) k_.jump(l_.signature);
        }
        // The signature is the third argument everywhere.
        k_.bind(l_.signature);
        parse(2);
        sized(plan_.p.signature, vars.signature);
        k_.end_region();
    }

  private:
    void head(unsigned words) {
        k_.push(4 + 32 * words);
        k_.op(Op::CALLDATASIZE);
        k_.op(Op::LT);
        k_.jumpi(l_.revert);
    }
    void parse(unsigned argument) {
        k_.push(4 + 32 * argument);
        k_.call(l_.parse, 1, 2);  // [size, offset]
    }
    /// Consumes [size, offset]; a size other than this is a rejection, decided when everything is parsed.
    void sized(std::uint64_t expected, std::uint64_t offset_to) {
        k_.mstore(offset_to);
        k_.with(Op::XOR, expected);
        or_bad(k_);
    }
    void key() {
        parse(0);
        k_.op(Op::CALLDATALOAD);
        k_.with(Op::SHR, 96);
        sized(20, vars.parts);
    }
    void message(unsigned argument) {
        parse(argument);
        k_.mstore(vars.message);
        k_.mstore(vars.message_size);
    }
    void answers(const U256& accept, const U256& reject) {
        k_.push(accept);
        k_.mstore(vars.accept);
        if (!reject.is_zero()) {
            k_.push(reject);
            k_.mstore(vars.reject);
        }
    }
    void body(const EntryPoint& e) {
        switch (e.door) {
            case Door::erc7913:
                head(3);
                answers(U256{e.selector} << 224, U256{0xffffffffU} << 224);
                key();
                k_.push(4 + 32);
                k_.mstore(vars.message);
                k_.push(32);
                k_.mstore(vars.message_size);
                break;
            case Door::message:
                head(3);
                answers(1, 0);
                k_.push(4);
                k_.op(Op::CALLDATALOAD);
                k_.dup(k_.top());
                k_.with(Op::SHR, 160);
                k_.jumpi(l_.revert);
                k_.mstore(vars.parts);
                message(1);
                break;
            case Door::context:
                head(4);
                answers(1, 0);
                key();
                message(1);
                parse(3);
                k_.mstore(vars.context);
                k_.dup(k_.top());
                k_.mstore(vars.context_size);
                k_.with(Op::SHR, 8);  // 256 and more
                or_bad(k_);
                break;
        }
    }

    Kernel& k_;
    const Plan& plan_;
    const Labels& l_;
};

Provenance plan_provenance(const Plan& plan) {
    return provenance_of(blob_shape(plan), registry_pin(std::string(plan.p.scheme->name) + "-registry").address());
}

/// Part 0 stands where the registry creates it for the key that its header names, and every part has exactly its size and a zero first
/// byte. The header comes to message_buffer() - 33, tr at message_buffer(); 96 bytes in the middle of map.work are left dirty (the hints
/// need its beginning zero).
void emit_key_checks(Kernel& k, const Plan& plan, const Labels& l) {
    k.begin_region("key_check");
    const std::uint64_t buffer = message_buffer(plan), header = buffer - 33;
    const auto size_is = [&](unsigned part) {
        k.op(Op::EXTCODESIZE);
        k.with(Op::XOR, plan.part_bytes(part));
        k.jumpi(l.reject);
    };
    k.mload(vars.parts);
    size_is(0);
    k.push(plan.header_bytes());
    k.push(0);
    k.push(header);
    k.mload(vars.parts);
    k.op(Op::EXTCODECOPY);
    k.mload(header);
    k.with(Op::BYTE, 0);
    k.jumpi(l.reject);
    emit_part0_address(k, plan_provenance(plan), header + 1, plan.map.work + 1024);
    k.mload(vars.parts);
    k.op(Op::XOR);
    k.with(Op::SHL, 96);
    k.jumpi(l.reject);
    for (unsigned part = 1; part < plan.parts; ++part) {
        k.mload(buffer + 64 + 20 * (part - 1));
        const V address = k.with(Op::SHR, 96);
        k.dup(address);
        size_is(part);
        k.push(1);
        k.push(0);
        k.push(vars.scratch);
        k.dup(address);
        k.op(Op::EXTCODECOPY);
        k.mstore(vars.parts + 32 * part);
        k.mload(vars.scratch);
        k.jumpi(l.reject);
    }
    for (unsigned at = 0; at < 20 * (plan.parts - 1); at += 32) {
        k.push(0);
        k.mstore(buffer + 64 + at);
    }
    k.end_region();
}

template <class Hash>
void emit_with(Kernel& k, const Plan& plan) {
    const Labels l{k.exit_label(), k.exit_label(), k.label(), k.label(), k.label(), k.label()};
    Hash hash(k, plan);
    Doors(k, plan, l).emit();
    k.mload(vars.bad);
    k.jumpi(l.reject);
    emit_key_checks(k, plan, l);
    hash.emit_mu(k);
    emit_hints(k, plan);
    emit_z(k, plan, l.pass_b);
    hash.emit_draws(k);
    emit_challenge_transform(k, plan, l.pass_b);
    const std::vector<Bounds> producers{challenge_bounds(plan), pass_a_bounds(plan)};
    Kernel bounds_only("bounds");
    const auto exits = emit_pass_b(bounds_only, plan, bounds_only.label(), producers);
    const Bounds row = emit_matrix(k, plan, l.theta, exits[1], exits[0]);
    emit_rows(k, plan, row);
    hash.emit_final(k);

    k.begin_region("answer");
    k.mload(vars.bad);
    k.jumpi(l.reject);
    const auto answer = [&](std::uint64_t from) {
        k.push(32);
        k.push(from);
        k.terminate(Op::RETURN);
    };
    answer(vars.accept);
    k.bind(l.reject);
    answer(vars.reject);
    k.bind(l.revert);
    k.push(0);
    k.push(0);
    k.terminate(Op::REVERT);
    k.end_region();

    emit_parse(k, l);
    emit_pass_b(k, plan, l.pass_b, producers);
    hash.emit_routines(k);
    k.data(l.theta, theta_table(plan));
}

}  // namespace

void emit_verifier(Kernel& k, const Plan& plan) {
    if (plan.byte_order())
        emit_with<CounterHash>(k, plan);
    else
        emit_with<HashCode>(k, plan);
}

}  // namespace postern::contracts::mldsa_evm
