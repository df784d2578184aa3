#include "contracts/mldsa/doors.hpp"

#include "contracts/catalogue.hpp"

namespace postern::contracts::mldsa_evm {

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

namespace {

class Doors {
  public:
    Doors(Kernel& k, const Plan& plan, const Labels& l, const DoorRules& rules) : k_(k), plan_(plan), l_(l), rules_(rules) {}

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
        const auto infos = entry_points(rules_.doors);
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
        if (rules_.wire_key != 0) return sized(rules_.wire_key, vars.parts);
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
    const DoorRules& rules_;
};

}  // namespace

void emit_doors(Kernel& k, const Plan& plan, const Labels& l, const DoorRules& rules) { Doors(k, plan, l, rules).emit(); }

void emit_context_and_message(Kernel& k, std::uint64_t buffer) {
    k.mload(vars.context_size);
    const V context_size = k.top();
    k.dup(context_size);
    k.push(buffer + 65);
    k.op(Op::MSTORE8);
    k.dup(context_size);
    k.mload(vars.context);
    k.push(buffer + 66);
    k.op(Op::CALLDATACOPY);
    k.mload(vars.message_size);
    k.mload(vars.message);
    k.dup(context_size);
    k.with(Op::ADD, buffer + 66);
    k.op(Op::CALLDATACOPY);
    k.mload(vars.message_size);
    k.op(Op::ADD);
}

void emit_answer(Kernel& k, const Labels& l) {
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
}

}  // namespace postern::contracts::mldsa_evm
