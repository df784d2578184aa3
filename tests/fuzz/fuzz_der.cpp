// The DER reader on any nesting: every element it accepts is written back byte for byte.

#include <algorithm>

#include "core/der.hpp"
#include "fuzz.hpp"

namespace {

void walk(postern::ByteView bytes, int depth) {
    postern::der::Reader reader(bytes);
    while (!reader.empty()) {
        const auto tag = reader.peek();
        postern::der::Reader copy = reader;
        const auto contents = reader.read(tag, "element");
        if (!contents) return;
        const auto whole = copy.read_whole(tag, "element");
        require(whole && std::ranges::equal(postern::der::element(tag, *contents), *whole), "one encoding only");
        postern::der::Reader number(*whole);
        if (const auto n = number.read_unsigned("number"); n) require(contents->size() <= 9, "small integers are short");
        if (depth < 50) walk(*contents, depth + 1);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    walk({data, size}, 0);
    return 0;
}
