#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <postern/bytes.hpp>
#include <postern/evm.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace postern::codegen {

/// A contract that cannot be generated; what() says which and why.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// One line of the annotated listing.
struct ListingLine {
    std::size_t offset = 0;
    std::string instruction;  // "PUSH2 0x1234", "DUP3", empty for a pure comment
    std::string stack;        // picture after the instruction, top first; empty if unknown
    std::string comment;      // kernel line
};

/// Finished runtime code.
struct Program {
    std::string name;
    Bytes code;
    std::vector<evm::Region> regions;            // for evm::RegionMap; "a/b" is b inside a
    std::map<std::string, std::size_t> symbols;  // named labels and data sections -> offset
    std::vector<ListingLine> lines;

    evm::RegionMap region_map() const { return evm::RegionMap(regions); }
    /// The listing as text: offset, instruction, stack picture, comment.
    std::string listing() const;
};

/// Init code that deploys `runtime` as it is, without constructor arguments.
Bytes init_code(ByteView runtime);

/// A parameter or return value of an ABI function, e.g. {"key", "bytes"}.
struct AbiParameter {
    std::string name;
    std::string type;
};
struct AbiFunction {
    std::string name;
    std::vector<AbiParameter> inputs;
    std::vector<AbiParameter> outputs;
    std::string mutability = "view";
    /// "verify(bytes,bytes32,bytes)"
    std::string signature() const;
    /// First four bytes of keccak256(signature()).
    std::uint32_t selector() const;
};
/// Solidity's ABI JSON.
std::string abi_json(const std::vector<AbiFunction>& functions);

}  // namespace postern::codegen
