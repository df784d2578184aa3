// Files that are recognised so that a whole folder can be run, but whose cases this command does not run: their scheme is not
// built in, or they belong to another test.

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kat/families.hpp"
#include "kat/run.hpp"

namespace postern::kat {

namespace {

constexpr std::string_view kNotBuiltIn = "scheme not built in";

std::size_t count(const Document& d) {
    if (d.has("tests") && d.json().at("tests").is_array()) return d.json().at("tests").size();
    if (!d.entries().empty()) return d.entries().size();
    return 1;
}

void not_built_in(const Document& d, Run& run) { run.skip(kNotBuiltIn, count(d)); }

bool falcon_json(const Document& d) {
    if (d.form() == Document::Form::json && d.json().is_array()) {
        const auto& list = d.json();
        if (list.empty()) return false;
        // SamplerZ and signing vectors, and the arguments of a Cairo verifier.
        if (list.front().is_object()) return list.front().contains("sigmin") || list.front().contains("prng_seed");
        return list.front().is_string() && d.name().starts_with("s2morrow");
    }
    return d.tests_have({"sigmin"}) || d.tests_have({"prng_seed"}) || d.tests_have({"logn"}) || d.tests_have({"salt", "hashToPoint"}) ||
           d.tests_have({"s1Compact", "s2Compact"}) || d.tests_have({"publicKeyNttCompact"}) || d.tests_have({"compressed"}) ||
           d.tests_have({"hashToPointBackend"}) || d.tests_have({"h", "hNtt"}) || d.tests_have({"backend"}) || d.tests_have({"s2"}) ||
           d.tests_have({"pk", "sm"});
}

bool poseidon(const Document& d) {
    return d.name().starts_with("hades") || d.name().starts_with("poseidon") || (d.has("algorithm", "Poseidon"));
}

/// Objects keyed by test name, each with a state before.
bool evm_tests(const Document& d) {
    if (d.form() != Document::Form::json || !d.json().is_object() || d.json().empty()) return false;
    const auto& first = *d.json().begin();
    return first.is_object() && first.contains("pre") && (first.contains("exec") || first.contains("transaction"));
}

constexpr Kind kKinds[] = {
    {"falcon-vectors", falcon_json, not_built_in},
    {"poseidon-vectors", poseidon, not_built_in},
    {"evm-tests", evm_tests, [](const Document& d, Run& run) { run.skip("EVM tests: run by the test suite", d.json().size()); }},
};

}  // namespace

std::span<const Kind> other_scheme_kinds() { return kKinds; }

}  // namespace postern::kat
