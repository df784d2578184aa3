// Postern beside other implementations, in one process and by turns: native_peers FOLDER [--seconds T] [--limit R] [SCHEME...]
// FOLDER has the shared objects that scripts/build-peers.sh made. Figures are thread CPU time per operation; the ratio is ours to
// the best peer's, of medians and of minima. With --limit the exit code is 1 if a ratio of medians is above R.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <exception>
#include <functional>

#include "contender.hpp"

namespace postern::bench {
namespace {

struct Options {
    std::string folder;
    double seconds = 3;
    double limit = 0;
    std::vector<std::string> schemes;
};

struct Entry {
    std::string name;
    std::unique_ptr<Contender> contender;
    std::vector<double> samples;  // microseconds per operation
};

double cpu_seconds() {
    timespec t{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

/// A sample is the mean of this many operations: keys and signatures differ in how long they take.
std::size_t operations_per_sample(const std::string& operation) { return operation == "keygen" ? 16 : 32; }

void run_operation(const std::string& operation, Entry& entry, std::uint32_t& counter) {
    std::array<std::uint8_t, 32> message{};
    const std::size_t count = operations_per_sample(operation);
    if (operation == "verify") entry.contender->sign(message);
    const double start = cpu_seconds();
    for (std::size_t i = 0; i < count; ++i) {
        if (operation == "keygen") {
            entry.contender->keygen();
        } else if (operation == "sign") {
            ++counter;
            for (std::size_t k = 0; k < 4; ++k) message[k] = static_cast<std::uint8_t>(counter >> 8 * k);
            entry.contender->sign(message);
        } else {
            entry.contender->verify(message);
        }
    }
    entry.samples.push_back((cpu_seconds() - start) * 1e6 / static_cast<double>(count));
}

double median(std::vector<double> v) {
    std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
    return v[v.size() / 2];
}
double minimum(const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); }

/// Our figure over the best of the others.
template <class Figure>
double ratio(const std::vector<Entry>& entries, const Figure& figure) {
    double best = 0;
    for (std::size_t i = 1; i < entries.size(); ++i) {
        const double x = figure(entries[i].samples);
        if (best == 0 || x < best) best = x;
    }
    return figure(entries[0].samples) / best;
}

int run(const Options& options) {
    const SharedObject liboqs(options.folder + "/liboqs.so");
    const SharedObject c_fn_dsa(options.folder + "/c-fn-dsa.so");
    const SharedObject boringssl(options.folder + "/boringssl.so");
    if (!liboqs.present() && !c_fn_dsa.present() && !boringssl.present()) {
        fmt::print(stderr, "native_peers: no peer in {}\n", options.folder);
        return 2;
    }
    fmt::print("{:<12} {:<7} {:<9} {:>11} {:>11} {:>8}\n", "scheme", "op", "who", "median us", "minimum us", "samples");
    bool over = false;
    for (const auto& scheme : options.schemes) {
        std::vector<Entry> entries;
        const auto add = [&](const char* name, std::unique_ptr<Contender> contender) {
            if (contender) entries.push_back({name, std::move(contender), {}});
        };
        add("postern", make_postern(scheme));
        if (liboqs.present()) add("liboqs", make_liboqs(liboqs, scheme));
        if (c_fn_dsa.present()) add("c-fn-dsa", make_c_fn_dsa(c_fn_dsa, scheme));
        if (boringssl.present()) add("boringssl", make_boringssl(boringssl, scheme));
        if (entries.empty()) {
            fmt::print(stderr, "native_peers: unknown scheme {}\n", scheme);
            return 2;
        }
        if (entries.size() == 1) {
            fmt::print("{:<12} no peer has it\n", scheme);
            continue;
        }
        for (const std::string operation : {"keygen", "sign", "verify"}) {
            std::uint32_t counter = 0;
            for (auto& e : entries) e.samples.clear();
            const double start = cpu_seconds();
            for (std::size_t round = 0; round < 11 || cpu_seconds() - start < options.seconds; ++round)
                for (std::size_t i = 0; i < entries.size(); ++i) run_operation(operation, entries[(i + round) % entries.size()], counter);
            for (const auto& e : entries)
                fmt::print("{:<12} {:<7} {:<9} {:>11.1f} {:>11.1f} {:>8}\n", scheme, operation, e.name, median(e.samples),
                           minimum(e.samples), e.samples.size());
            const double of_medians = ratio(entries, median);
            fmt::print("{:<12} {:<7} ratio to the best peer: {:.2f} of medians, {:.2f} of minima\n", scheme, operation, of_medians,
                       ratio(entries, minimum));
            std::fflush(stdout);
            if (options.limit > 0 && of_medians > options.limit) {
                fmt::print("{:<12} {:<7} is over the limit of {:.2f}\n", scheme, operation, options.limit);
                over = true;
            }
        }
    }
    return over ? 1 : 0;
}

}  // namespace
}  // namespace postern::bench

int main(int argc, char** argv) {
    postern::bench::Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string a = argv[i];
        if ((a == "--seconds" || a == "--limit") && i + 1 < argc)
            (a == "--seconds" ? options.seconds : options.limit) = std::strtod(argv[++i], nullptr);
        else if (options.folder.empty())
            options.folder = a;
        else
            options.schemes.push_back(a);
    }
    if (options.folder.empty()) {
        fmt::print(stderr, "usage: native_peers FOLDER [--seconds T] [--limit R] [SCHEME...]\n");
        return 2;
    }
    if (options.schemes.empty()) options.schemes = {"falcon-512", "falcon-1024", "ml-dsa-44", "ml-dsa-65", "ml-dsa-87"};
    try {
        return postern::bench::run(options);
    } catch (const std::exception& e) {
        fmt::print(stderr, "native_peers: {}\n", e.what());
        return 2;
    }
}
