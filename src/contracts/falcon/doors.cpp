#include "contracts/falcon/doors.hpp"

#include "codegen/control.hpp"
#include "contracts/catalogue.hpp"

namespace postern::contracts::falcon_evm {

using codegen::Assembler;
using codegen::Label;
using codegen::Op;

namespace {

std::uint64_t padded(std::uint64_t bytes) { return (bytes + 31) / 32 * 32; }

class Doors {
  public:
    Doors(Assembler& a, const DoorPlan& plan, const DoorLabels& labels) : a_(a), plan_(plan), labels_(labels) {}

    void emit() {
        const codegen::RegionScope region(a_, "abi");
        a_.push(4);
        a_.ops({Op::CALLDATASIZE, Op::LT});
        a_.jumpi(labels_.no_selector);
        a_.push(0);
        a_.op(Op::CALLDATALOAD);
        a_.push(224);
        a_.op(Op::SHR);
        if (plan_.message_door) {
            a_.dup(1);
            a_.push(entry_point(Door::message).selector);
            a_.op(Op::EQ);
            a_.jumpi(labels_.message);
        }
        const std::uint32_t magic = entry_point(Door::erc7913).selector;
        a_.push(magic);
        a_.op(Op::XOR);
        a_.jumpi(labels_.no_selector);
        hash_door(magic);
    }

    void emit_rest() {
        const codegen::RegionScope region(a_, "abi");
        if (plan_.message_door) {
            a_.jumpdest(labels_.message);
            message_door();
        }
        a_.jumpdest(labels_.no_selector);
        codegen::revert_empty(a_);
    }

  private:
    void load(std::uint64_t offset) {
        a_.push(offset);
        a_.op(Op::CALLDATALOAD);
    }
    /// [x] -> [x, or more bits if the word at this offset is not this value]
    void expect(std::uint64_t offset, std::uint64_t value) {
        load(offset);
        a_.push(value);
        a_.ops({Op::XOR, Op::OR});
    }

    /// verify(bytes key, bytes32 hash, bytes signature)
    void hash_door(std::uint32_t magic) {
        const std::uint64_t key = 4 + 0x60, signature = key + 32 + padded(plan_.key_bytes), data = signature + 32;
        const std::uint64_t end = data + padded(plan_.signature_bytes);
        a_.push(end);
        a_.ops({Op::CALLDATASIZE, Op::XOR, Op::CALLVALUE, Op::OR});
        expect(4, 0x60);
        expect(4 + 0x40, signature - 4);
        expect(key, plan_.key_bytes);
        expect(signature, plan_.signature_bytes);
        padding(key + 32, plan_.key_bytes);
        padding(data, plan_.signature_bytes);
        a_.jumpi(labels_.reject);
        a_.push(magic);
        a_.push(224);
        a_.op(Op::SHL);
        load(key + 32);
        if (plan_.key_bytes != 32) {
            a_.push(256 - 8 * plan_.key_bytes);
            a_.op(Op::SHR);
        }
        copy(plan_.hashed, data, kSalt);
        load(4 + 0x20);
        a_.push(plan_.hashed + kSalt);
        a_.op(Op::MSTORE);
        a_.push(kSalt + 32);
        a_.push(plan_.hashed);
        a_.op(Op::KECCAK256);
        copy(plan_.body, data + kSalt, plan_.signature_bytes - kSalt);
    }
    /// Zero behind the last of `bytes` bytes at `offset`: [x] -> [x | padding].
    void padding(std::uint64_t offset, std::uint64_t bytes) {
        if (bytes % 32 == 0) return;
        load(offset + bytes / 32 * 32);
        a_.push(8 * (bytes % 32));
        a_.ops({Op::SHL, Op::OR});
    }
    void copy(std::uint64_t to, std::uint64_t from, std::uint64_t size) {
        a_.push(size);
        a_.push(from);
        a_.push(to);
        a_.op(Op::CALLDATACOPY);
    }

    /// verify(address keyBlob, bytes message, bytes signature), stack [selector].
    void message_door() {
        const std::uint64_t length_at = 4 + 0x60, message = length_at + 32;
        a_.op(Op::POP);
        a_.push(1);
        load(4);
        // [key][answer]
        load(length_at);
        a_.dup(1);
        a_.push(32);
        a_.op(Op::SHR);  // longer than calldata can be: keeps the sums below from wrapping
        a_.dup(3);
        a_.push(160);
        a_.ops({Op::SHR, Op::OR, Op::CALLVALUE, Op::OR});
        expect(4 + 0x20, 0x60);
        // [flags][length][key][answer]; calldata position of the signature's length word
        a_.push(31);
        a_.dup(3);
        a_.op(Op::ADD);
        a_.push(31);
        a_.ops({Op::NOT, Op::AND});
        a_.push(message);
        a_.op(Op::ADD);
        // [position][flags][length]
        a_.dup(1);
        load(4 + 0x40);
        a_.push(4);
        a_.ops({Op::ADD, Op::XOR});
        a_.swap(1);
        a_.swap(2);
        a_.op(Op::OR);
        // [flags][position][length][key][answer]
        a_.dup(2);
        a_.op(Op::CALLDATALOAD);
        a_.push(plan_.signature_bytes);
        a_.ops({Op::XOR, Op::OR});
        a_.dup(2);
        a_.push(32 + padded(plan_.signature_bytes));
        a_.ops({Op::ADD, Op::CALLDATASIZE, Op::XOR, Op::OR});
        // Padding of the signature; of the message: the bits between its end and the position.
        a_.dup(2);
        a_.push(32 + plan_.signature_bytes / 32 * 32);
        a_.ops({Op::ADD, Op::CALLDATALOAD});
        a_.push(8 * (plan_.signature_bytes % 32));
        a_.ops({Op::SHL, Op::OR});
        // 256 - 8 (position - message - length)
        a_.dup(3);
        a_.push(message);
        a_.op(Op::ADD);  // [end of message][flags][position]
        a_.dup(1);
        a_.op(Op::CALLDATALOAD);
        a_.swap(1);  // [end][word][flags][position]
        a_.dup(4);
        a_.op(Op::SUB);  // position - end
        a_.push(3);
        a_.op(Op::SHL);
        a_.push(256);
        a_.ops({Op::SUB, Op::SHR, Op::OR});
        a_.jumpi(labels_.reject);
        // [position][length][key][answer]
        a_.push(kSalt);
        a_.dup(2);
        a_.push(32);
        a_.op(Op::ADD);
        a_.push(plan_.hashed);
        a_.op(Op::CALLDATACOPY);
        a_.push(32 + kSalt);
        a_.op(Op::ADD);  // [position of the body][length][key][answer]
        a_.dup(2);
        a_.push(message);
        a_.push(plan_.hashed + kSalt);
        a_.op(Op::CALLDATACOPY);
        // A message may be so long that it lies over everything else: it is hashed before the body comes.
        a_.swap(1);
        a_.push(kSalt);
        a_.op(Op::ADD);
        a_.push(plan_.hashed);
        a_.op(Op::KECCAK256);
        a_.swap(1);
        a_.push(plan_.signature_bytes - kSalt);
        a_.swap(1);
        a_.push(plan_.body);
        a_.op(Op::CALLDATACOPY);
        a_.jump(labels_.verify);
    }

    static constexpr std::uint64_t kSalt = 40;
    Assembler& a_;
    const DoorPlan& plan_;
    const DoorLabels& labels_;
};

}  // namespace

DoorLabels emit_doors(Assembler& a, const DoorPlan& plan) {
    DoorLabels labels{a.new_label("verify"), a.new_label("reject"), a.new_label("message door"), a.new_label("no selector")};
    Doors(a, plan, labels).emit();
    return labels;
}

void emit_other_doors(Assembler& a, const DoorPlan& plan, const DoorLabels& labels) { Doors(a, plan, labels).emit_rest(); }

void emit_rejection(Assembler& a, const DoorLabels& labels) {
    const codegen::RegionScope region(a, "answer");
    a.jumpdest(labels.reject);
    // 0xffffffff for the ERC-7913 door, false for the other.
    a.push(entry_point(Door::erc7913).selector);
    a.push(0);
    a.op(Op::CALLDATALOAD);
    a.push(224);
    a.ops({Op::SHR, Op::EQ});
    a.push(0xffffffffU);
    a.ops({Op::MUL});
    a.push(224);
    a.op(Op::SHL);
    a.push(0);
    a.op(Op::MSTORE);
    a.push(32);
    a.push(0);
    a.op(Op::RETURN);
}

}  // namespace postern::contracts::falcon_evm
