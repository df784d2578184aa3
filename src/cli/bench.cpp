// postern bench: native speed of every operation.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <postern/mldsa.hpp>
#include <variant>

#include "cli/bench.hpp"
#include "cli/commands.hpp"
#include "cli/instruction_counter.hpp"
#include "cli/keys.hpp"

namespace postern::cli {

BenchRow measure(std::string_view scheme, std::string_view operation, std::string_view mode, double seconds,
                 const std::function<void()>& body, std::size_t batch) {
    using Clock = std::chrono::steady_clock;
    std::vector<double> times;
    std::vector<std::uint64_t> counts;
    const InstructionCounter counter;
    body();
    const auto start = Clock::now();
    while (times.size() < 11 || Clock::now() - start < std::chrono::duration<double>(seconds)) {
        const auto before = counter.read();
        const auto t0 = Clock::now();
        body();
        const auto t1 = Clock::now();
        counts.push_back(counter.read() - before);
        times.push_back(std::chrono::duration<double, std::micro>(t1 - t0).count());
    }
    const auto median = [](auto& values) {
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        return *middle;
    };
    return {scheme, operation, mode, median(times) / static_cast<double>(batch), median(counts) / batch};
}

namespace {

struct Arguments {
    std::vector<std::string> schemes;
    double seconds = 0.1;
    bool json = false;
};

/// Signing is measured over ever new messages: the number of its attempts varies.
std::vector<BenchRow> bench_scheme(const mldsa::Scheme& s, double seconds) {
    std::array<std::uint8_t, 32> seed_bytes{};
    const mldsa::Seed seed(seed_bytes);
    const auto pair = mldsa::generate(s, seed);
    const mldsa::ExpandedPrivateKey expanded_private(pair.private_key);
    const mldsa::ExpandedPublicKey expanded_public(pair.public_key);
    std::array<std::uint8_t, 32> message{};
    std::uint32_t counter = 0;
    const auto next_message = [&] {
        ++counter;
        for (std::size_t i = 0; i < 4; ++i) message[i] = static_cast<std::uint8_t>(counter >> 8 * i);
        return mldsa::Message(message);
    };
    const Bytes signature = mldsa::sign(expanded_private, mldsa::Message(message), {}, mldsa::Randomness::deterministic());
    const std::array<std::uint8_t, 32> signed_message = message;
    const mldsa::SignatureView view(signature);
    bool valid = true;
    std::vector<BenchRow> rows;
    rows.push_back(measure(s.name, "keygen", "seed", seconds, [&] { (void)mldsa::generate(s, seed); }));
    rows.push_back(measure(s.name, "sign", "wire", seconds, [&] { (void)mldsa::sign(pair.private_key, next_message()); }));
    rows.push_back(measure(s.name, "sign", "expanded", seconds, [&] { (void)mldsa::sign(expanded_private, next_message()); }));
    rows.push_back(measure(s.name, "verify", "wire", seconds,
                           [&] { valid = valid && mldsa::verify(pair.public_key, mldsa::Message(signed_message), view).valid; }));
    rows.push_back(measure(s.name, "verify", "expanded", seconds,
                           [&] { valid = valid && mldsa::verify(expanded_public, mldsa::Message(signed_message), view).valid; }));
    rows.push_back(measure(s.name, "expand-public", "wire", seconds, [&] { const mldsa::ExpandedPublicKey once(pair.public_key); }));
    rows.push_back(measure(s.name, "expand-private", "wire", seconds, [&] { const mldsa::ExpandedPrivateKey once(pair.private_key); }));
    if (!valid) throw std::logic_error("a signature made while measuring does not verify");
    return rows;
}

std::string_view cpu() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? "avx2" : "x86-64";
#else
    return "portable";
#endif
}

std::vector<BenchRow> bench_scheme(const falcon::Scheme& s, double seconds) { return bench_falcon(s, seconds); }

using AnyScheme = std::variant<const mldsa::Scheme*, const falcon::Scheme*>;
AnyScheme find_any(const std::string& name) {
    if (const auto* s = mldsa::find_scheme(name)) return s;
    if (const auto* s = falcon::find_scheme(name)) return s;
    std::string known;
    for (const auto& s : mldsa::schemes()) known += fmt::format("{}{}", known.empty() ? "" : ", ", s.name);
    for (const auto& s : falcon::schemes()) known += fmt::format(", {}", s.name);
    fail(Exit::usage, "unknown scheme '{}' (known: {})", name, known);
}

void run(const Arguments& a, Console& console) {
    std::vector<std::string> chosen = a.schemes;
    for (const auto& name : chosen) find_any(name);
    if (chosen.empty()) {
        for (const auto& s : mldsa::schemes()) chosen.emplace_back(s.name);
        for (const auto& s : falcon::schemes()) chosen.emplace_back(s.name);
    }
    auto rows = nlohmann::ordered_json::array();
    if (!a.json) console.print("{:<18} {:<15} {:<9} {:>12} {:>14}\n", "scheme", "operation", "mode", "median us", "instructions");
    for (const auto& name : chosen) {
        const auto measured = std::visit([&](const auto* s) { return bench_scheme(*s, a.seconds); }, find_any(name));
        for (const BenchRow& r : measured) {
            if (a.json) {
                rows.push_back({{"scheme", r.scheme},
                                {"operation", r.operation},
                                {"mode", r.mode},
                                {"median_us", r.median_us},
                                {"instructions", r.instructions}});
            } else {
                console.print("{:<18} {:<15} {:<9} {:>12.1f} {:>14}\n", r.scheme, r.operation, r.mode, r.median_us, r.instructions);
                console.flush();
            }
        }
    }
    if (a.json) console.print("{}\n", nlohmann::ordered_json{{"cpu", cpu()}, {"rows", rows}}.dump(2));
}

}  // namespace

void add_bench(CLI::App& app, Console& console) {
    CLI::App* cmd = app.add_subcommand("bench", "Measure native speed on this machine");
    const auto a = std::make_shared<Arguments>();
    cmd->add_option("--scheme", a->schemes, "Only these schemes")->type_name("S");
    cmd->add_option("--seconds", a->seconds, "Time for each measurement")->check(CLI::Range(0.0, 60.0))->type_name("T");
    cmd->add_flag("--json", a->json, "Print JSON");
    cmd->footer(
        "Modes: seed (keygen), wire (keys as they are encoded), expanded (keys made ready before), batch (expanded\n"
        "keys, 32 messages in one call; figures of one). Falcon keys are made from a new seed each time.\n"
        "Instructions are 0 where the system does not count them.\n\n"
        "Example:\n  postern bench --scheme ml-dsa-44 --scheme falcon-512 --json");
    cmd->callback([a, &console] { run(*a, console); });
}

}  // namespace postern::cli
