#include "evm/code.hpp"

#include <algorithm>

#include "evm/opcodes.hpp"
#include "evm/words.hpp"
#include "hash/sha3.hpp"

namespace postern::evm {

namespace {
constexpr std::size_t kPadding = 34;
}

Code::Code(ByteView bytes) : padded_(bytes.size() + kPadding), size_(bytes.size()), jumpdests_(bytes.size() / 64 + 1) {
    std::copy(bytes.begin(), bytes.end(), padded_.begin());
    for (std::size_t pc = 0; pc < size_; ++pc) {
        const std::uint8_t op = padded_[pc];
        if (op == static_cast<std::uint8_t>(Op::JUMPDEST)) jumpdests_[pc / 64] |= 1ULL << (pc % 64);
        // Only PUSH hides its operand; the immediates of EIP-8024 cannot look like a JUMPDEST.
        if (op >= static_cast<std::uint8_t>(Op::PUSH1) && op <= static_cast<std::uint8_t>(Op::PUSH32)) pc += op - 0x5fU;
    }
}

const std::shared_ptr<const Code>& Code::empty() {
    static const std::shared_ptr<const Code> code = std::make_shared<const Code>(ByteView{});
    return code;
}

const U256& Code::hash() const {
    std::call_once(hash_once_, [this] { hash_ = to_u256(hash::keccak256(bytes())); });
    return hash_;
}

std::optional<Address> Code::delegation() const {
    if (size_ != 23 || padded_[0] != 0xef || padded_[1] != 0x01 || padded_[2] != 0x00) return std::nullopt;
    Address target;
    std::copy_n(padded_.begin() + 3, 20, target.begin());
    return target;
}

Bytes delegation_code(const Address& target) {
    Bytes code(23);
    code[0] = 0xef;
    code[1] = 0x01;
    std::copy(target.begin(), target.end(), code.begin() + 3);
    return code;
}

}  // namespace postern::evm
