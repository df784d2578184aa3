#include "contracts/falcon/verifier.hpp"

#include <postern/falcon.hpp>

#include "contracts/falcon/core.hpp"
#include "contracts/falcon/doors.hpp"
#include "contracts/falcon/sampler.hpp"

namespace postern::contracts::falcon_evm {

using codegen::Op;

namespace {

/// [norm of s2][key address] unchanged; refuses an account whose code is not a blob's size or does not begin with STOP.
void emit_load_key(Assembler& a, const Memory512& memory, Label reject) {
    const codegen::RegionScope region(a, "key");
    constexpr std::uint64_t size = 1 + 32 * kExpandedWords512;
    a.dup(2);
    a.op(Op::EXTCODESIZE);
    a.push(size);
    a.op(Op::XOR);
    a.jumpi(reject);
    a.push(size);
    a.push(0);
    a.push(memory.key - 1);
    a.dup(5);
    a.op(Op::EXTCODECOPY);
    a.push(memory.key - 32);
    a.op(Op::MLOAD);
    a.push(31);
    a.op(Op::BYTE);
    a.jumpi(reject);
}

/// [squared norm][key][answer]
void emit_answer(Assembler& a, std::uint64_t bound, Label reject) {
    const codegen::RegionScope region(a, "answer");
    a.push(bound);
    a.op(Op::LT);
    a.jumpi(reject);
    a.op(Op::POP);
    a.push(0);
    a.op(Op::MSTORE);
    a.push(32);
    a.push(0);
    a.op(Op::RETURN);
}

}  // namespace

void emit_ethfalcon512(Assembler& a) {
    const Memory512 memory;
    DoorPlan plan;
    plan.signature_bytes = 40 + 1024;
    plan.body = memory.s2;
    const DoorLabels labels = emit_doors(a, plan);
    a.jumpdest(labels.verify);
    // State and counter for the point.
    a.push(0);
    a.op(Op::MSTORE);
    a.push(0);
    a.push(0x20);
    a.op(Op::MSTORE);
    Core512 core(a, memory, labels.reject);
    core.intake();
    emit_load_key(a, memory, labels.reject);
    core.product();
    emit_keccak_point(a, memory.point, 512, 8);
    core.norm();
    emit_answer(a, falcon::Falcon512::beta2, labels.reject);
    emit_rejection(a, labels);
    emit_other_doors(a, plan, labels);
}

}  // namespace postern::contracts::falcon_evm
