#pragma once

// Structured control flow between blocks. Stack pictures are top first.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/assembler.hpp"

namespace postern::codegen {

/// An internal subroutine. Stack at entry: [args ...][return address][caller's items]; at exit: [results ...][caller's items].
/// The body gets the return address as an item below its arguments: a block that declares it as the resident "return".
struct Subroutine {
    std::string name;
    Label entry;
    unsigned args = 0;
    unsigned results = 0;
};

/// Declares it, so that it can be called before its body is there.
Subroutine declare_subroutine(Assembler& a, std::string name, unsigned args = 0, unsigned results = 0);
/// JUMPDEST, body, then the return jump: with results the address is brought up by SWAPs. Opens a region of the subroutine's name.
void define_subroutine(Assembler& a, const Subroutine& s, const std::function<void(Assembler&)>& body);
/// Without arguments: PUSH return, PUSH entry, JUMP, JUMPDEST (22 gas with the way back).
void call(Assembler& a, const Subroutine& s);
/// With arguments: push_return, then put the arguments on top (block with exit), then jump_to.
Label push_return(Assembler& a, const Subroutine& s);
void jump_to(Assembler& a, const Subroutine& s, Label return_label);

/// for (p = start; p != end; p += step) body. At the body's begin and end the stack is [p][caller's items]; afterwards p is popped.
/// (end - start) must be a multiple of step and not 0. step may be "negative" (mod 2^256).
void repeat_pointer(Assembler& a, std::string name, const U256& start, const U256& end, const U256& step,
                    const std::function<void(Assembler&)>& body);
/// The same with start already on the stack: [p][...].
void repeat_pointer_from(Assembler& a, std::string name, const U256& end, const U256& step, const std::function<void(Assembler&)>& body);
/// do body while top item != 0 (consumed).
void repeat_while(Assembler& a, std::string name, const std::function<void(Assembler&)>& body);
/// Consumes the condition; the branches must leave the same stack.
void if_nonzero(Assembler& a, const std::function<void(Assembler&)>& then, const std::function<void(Assembler&)>& otherwise = {});

/// ABI dispatch on the selector. Starts from an empty stack; each body runs on an empty stack and must not fall through.
struct Entry {
    std::uint32_t selector;
    std::string name;
    std::function<void(Assembler&)> body;
};
/// `otherwise` is what happens for unknown selectors and calldata below four bytes (default: revert without data).
void dispatch(Assembler& a, const std::vector<Entry>& entries, const std::function<void(Assembler&)>& otherwise = {});

/// PUSH0 PUSH0 REVERT.
void revert_empty(Assembler& a);
/// Returns one constant word.
void return_word(Assembler& a, const U256& value, std::uint64_t scratch = 0);

}  // namespace postern::codegen
