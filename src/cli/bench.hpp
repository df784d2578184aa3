#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <postern/falcon_scheme.hpp>
#include <string_view>
#include <vector>

namespace postern::cli {

/// One line of `postern bench`: figures of a single operation.
struct BenchRow {
    std::string_view scheme, operation, mode;
    double median_us;
    std::uint64_t instructions;
};

/// Median time and instructions of one call; calls are repeated for `seconds`, at least 11 times. A call does `batch` operations.
BenchRow measure(std::string_view scheme, std::string_view operation, std::string_view mode, double seconds,
                 const std::function<void()>& body, std::size_t batch = 1);

std::vector<BenchRow> bench_falcon(const falcon::Scheme& scheme, double seconds);

}  // namespace postern::cli
