#pragma once

// What the Falcon fuzzers share: the first byte chooses among `choices` and the parameter set, the rest is the encoding.

#include <algorithm>
#include <postern/falcon.hpp>

#include "fuzz.hpp"

/// Calls body.operator()<P>(choice, bytes).
template <class Body>
int fuzz_falcon(const std::uint8_t* data, std::size_t size, std::size_t choices, const Body& body) {
    if (size == 0) return 0;
    const std::size_t choice = (data[0] >> 1) % choices;
    const postern::ByteView bytes(data + 1, size - 1);
    if ((data[0] & 1) != 0)
        body.template operator()<postern::falcon::Falcon1024>(choice, bytes);
    else
        body.template operator()<postern::falcon::Falcon512>(choice, bytes);
    return 0;
}
