#include "codegen/control.hpp"

#include <algorithm>

namespace postern::codegen {

Subroutine declare_subroutine(Assembler& a, std::string name, unsigned args, unsigned results) {
    const Label entry = a.new_label(name);
    return {std::move(name), entry, args, results};
}

void define_subroutine(Assembler& a, const Subroutine& s, const std::function<void(Assembler&)>& body) {
    const RegionScope region(a, s.name);
    a.jumpdest(s.entry);
    body(a);
    // [results][return] -> [return][results], keeping the order of the results.
    for (unsigned i = 1; i <= s.results; ++i) a.swap(i);
    a.op(Op::JUMP);
}

Label push_return(Assembler& a, const Subroutine& s) {
    const Label back = a.new_label("after " + s.name);
    a.push_label(back);
    return back;
}

void jump_to(Assembler& a, const Subroutine& s, Label return_label) {
    a.jump(s.entry);
    a.jumpdest(return_label);
}

void call(Assembler& a, const Subroutine& s) {
    if (s.args != 0) throw Error("call of " + s.name + " needs arguments: use push_return and jump_to");
    jump_to(a, s, push_return(a, s));
}

void repeat_pointer(Assembler& a, std::string name, const U256& start, const U256& end, const U256& step,
                    const std::function<void(Assembler&)>& body) {
    const bool down = step.bit(255);
    const U256 distance = down ? start - end : end - start;
    const U256 stride = down ? -step : step;
    if (distance.is_zero() || stride.is_zero() || !(distance % stride).is_zero() || (down ? end > start : start > end))
        throw Error("loop " + name + " does not reach its end in whole steps");
    a.push(start);
    repeat_pointer_from(a, std::move(name), end, step, body);
}

void repeat_pointer_from(Assembler& a, std::string name, const U256& end, const U256& step, const std::function<void(Assembler&)>& body) {
    const Label top = a.new_label(name);
    a.jumpdest(top);
    body(a);
    a.push(step);
    a.op(Op::ADD);
    if (end.is_zero()) {
        a.dup(1);
    } else {
        a.push(end);
        a.dup(2);
        a.op(Op::XOR);
    }
    a.jumpi(top);
    a.op(Op::POP);
}

void repeat_while(Assembler& a, std::string name, const std::function<void(Assembler&)>& body) {
    const Label top = a.new_label(std::move(name));
    a.jumpdest(top);
    body(a);
    a.jumpi(top);
}

void if_nonzero(Assembler& a, const std::function<void(Assembler&)>& then, const std::function<void(Assembler&)>& otherwise) {
    const Label end = a.new_label();
    if (otherwise) {
        const Label yes = a.new_label();
        a.jumpi(yes);
        otherwise(a);
        a.jump(end);
        a.jumpdest(yes);
        then(a);
    } else {
        a.op(Op::ISZERO);
        a.jumpi(end);
        then(a);
    }
    a.jumpdest(end);
}

void dispatch(Assembler& a, const std::vector<Entry>& entries, const std::function<void(Assembler&)>& otherwise) {
    std::vector<Label> labels;
    const Label unknown = a.new_label("unknown selector");
    {
        const RegionScope region(a, "dispatch");
        a.push(4);
        a.ops({Op::CALLDATASIZE, Op::LT});
        a.jumpi(unknown);
        a.push(0);
        a.op(Op::CALLDATALOAD);
        a.push(224);
        a.op(Op::SHR);
        for (const Entry& e : entries) {
            labels.push_back(a.new_label(e.name));
            a.dup(1);
            a.push(U256{e.selector});
            a.op(Op::EQ);
            a.jumpi(labels.back());
        }
        a.jumpdest(unknown);
        if (otherwise) {
            otherwise(a);
        } else {
            revert_empty(a);
        }
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const RegionScope region(a, entries[i].name);
        a.jumpdest(labels[i]);
        a.op(Op::POP);
        entries[i].body(a);
    }
}

void revert_empty(Assembler& a) {
    a.push(0);
    a.push(0);
    a.op(Op::REVERT);
}

void return_word(Assembler& a, const U256& value, std::uint64_t scratch) {
    a.push(value);
    a.push(U256{scratch});
    a.op(Op::MSTORE);
    a.push(32);
    a.push(U256{scratch});
    a.op(Op::RETURN);
}

}  // namespace postern::codegen
