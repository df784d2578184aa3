#include "codegen/program.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "codegen/assembler.hpp"
#include "hash/sha3.hpp"

namespace postern::codegen {

std::string Program::listing() const {
    std::string out;
    for (const ListingLine& l : lines) {
        if (l.instruction.empty()) {
            out += fmt::format("{:05x}  {}\n", l.offset, l.comment);
            continue;
        }
        std::string text = fmt::format("{:05x}    {:<24}", l.offset, l.instruction);
        if (!l.stack.empty()) text += " | " + l.stack;
        if (!l.comment.empty()) text += "  ; " + l.comment;
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    }
    return out;
}

Bytes init_code(ByteView runtime) {
    Assembler a("init");
    const Data d = a.data("runtime", Bytes(runtime.begin(), runtime.end()));
    a.push(U256{runtime.size()});
    a.op(evm::op_dup(1));
    a.push_label(d.label);
    a.push(0);
    a.ops({Op::CODECOPY});
    a.push(0);
    a.op(Op::RETURN);
    AssembleOptions options;
    options.max_code_size = 49152;  // EIP-3860
    options.lint_erc7562 = false;
    return a.assemble(options).code;
}

std::string AbiFunction::signature() const {
    std::string s = name + "(";
    for (std::size_t i = 0; i < inputs.size(); ++i) s += (i == 0 ? "" : ",") + inputs[i].type;
    return s + ")";
}

std::uint32_t AbiFunction::selector() const {
    const std::string s = signature();
    hash::Keccak256 h;
    h.update({reinterpret_cast<const std::uint8_t*>(s.data()), s.size()});
    const auto d = h.finish();
    return static_cast<std::uint32_t>(d[0]) << 24 | static_cast<std::uint32_t>(d[1]) << 16 | static_cast<std::uint32_t>(d[2]) << 8 | d[3];
}

std::string abi_json(const std::vector<AbiFunction>& functions) {
    auto list = nlohmann::ordered_json::array();
    const auto parameters = [](const std::vector<AbiParameter>& ps) {
        auto out = nlohmann::ordered_json::array();
        for (const AbiParameter& p : ps) out.push_back({{"internalType", p.type}, {"name", p.name}, {"type", p.type}});
        return out;
    };
    for (const AbiFunction& f : functions) {
        list.push_back({{"type", "function"},
                        {"name", f.name},
                        {"inputs", parameters(f.inputs)},
                        {"outputs", parameters(f.outputs)},
                        {"stateMutability", f.mutability}});
    }
    return list.dump(2);
}

}  // namespace postern::codegen
