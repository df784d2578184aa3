#include "cli/gas_table.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <postern/falcon_scheme.hpp>
#include <postern/mldsa.hpp>

#include "cli/failure.hpp"
#include "cli/peers.hpp"
#include "core/hex.hpp"
#include "hash/sha3.hpp"

namespace postern::cli {

namespace {

using nlohmann::ordered_json;

struct Sample {
    Bytes public_key, message, signature, context;
};

/// What is signed: 32 bytes that differ from sample to sample, or always the same message and context.
struct Input {
    std::string name = "32-byte message";
    Bytes message, context;
    std::optional<Sample> given;  ///< the only sample, for the scheme that it belongs to
    contracts::Door door = contracts::Door::erc7913;
};

std::vector<Input> inputs_for(const contracts::ContractInfo& info) {
    std::vector<Input> inputs(1);
    const mldsa::Scheme* scheme = mldsa::find_scheme(info.scheme);
    if (scheme == nullptr || info.key_form != contracts::KeyForm::wire || scheme->parameter_set != mldsa::ParameterSet::ml_dsa_65)
        return inputs;
    const auto data = nlohmann::json::parse(kGasInput);
    const auto bytes = [&data](const char* field) { return from_hex(data.at(field).get<std::string>()).value(); };
    Input input;
    input.name = data.at("name").get<std::string>();
    input.message = bytes("message");
    input.context = bytes("context");
    input.door = contracts::Door::context;
    if (data.at("scheme") == scheme->name) input.given = Sample{bytes("public_key"), input.message, bytes("signature"), input.context};
    inputs.push_back(std::move(input));
    return inputs;
}

Sample mldsa_sample(const mldsa::Scheme& scheme, const Input& input, hash::Shake256& xof) {
    std::array<std::uint8_t, 32> seed{}, rnd{};
    Sample s;
    s.message.resize(32);
    xof.squeeze(seed);
    xof.squeeze(s.message);
    xof.squeeze(rnd);
    const auto pair = mldsa::generate(scheme, mldsa::Seed(seed));
    s.public_key.assign(pair.public_key.bytes().begin(), pair.public_key.bytes().end());
    if (!input.message.empty()) s.message = input.message;
    s.context = input.context;
    s.signature = mldsa::sign(pair.private_key, mldsa::Message(s.message), mldsa::Context::from(s.context).value(), mldsa::Randomness(rnd));
    return s;
}

Sample falcon_sample(const falcon::Scheme& scheme, const std::string& codec, hash::Shake256& xof) {
    Bytes seed(48);
    Sample s;
    s.message.resize(32);
    xof.squeeze(seed);
    xof.squeeze(s.message);
    auto pair = falcon::generate(scheme, seed);
    auto signature = falcon::sign(scheme, pair.private_key, s.message, codec, true);
    if (!signature) throw std::runtime_error(signature.error().message);
    s.public_key = std::move(pair.public_key);
    s.signature = std::move(*signature);
    return s;
}

/// Key, message and signature number `index` for a contract: always the same.
Sample make_sample(const contracts::ContractInfo& info, const Input& input, std::size_t index) {
    if (input.given) return *input.given;
    hash::Shake256 xof;
    const std::string label = fmt::format("postern gas {} {}", info.scheme, index);
    xof.absorb({reinterpret_cast<const std::uint8_t*>(label.data()), label.size()});
    if (const auto* scheme = mldsa::find_scheme(info.scheme)) return mldsa_sample(*scheme, input, xof);
    if (const auto* scheme = falcon::find_scheme(info.scheme)) return falcon_sample(*scheme, info.signature_codec, xof);
    throw std::logic_error("no native scheme for the contract " + info.name);
}

constexpr evm::Address kSender{0x73, 0x65, 0x6e, 0x64, 0x65, 0x72, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
constexpr evm::Address kKey{0x6b, 0x65, 0x79, 0x91, 0x8a, 0xd3, 0x5c, 0x27, 0x11, 0xb4,
                            0x6f, 0xe2, 0x38, 0x09, 0xc5, 0x7d, 0xa1, 0x4e, 0x82, 0x93};

/// Receipt gas of a transaction; a contract is created if there is no recipient.
std::uint64_t transaction_gas(evm::State& state, evm::Fork fork, std::optional<evm::Address> to, Bytes data) {
    evm::Transaction transaction;
    transaction.from = kSender;
    transaction.to = to;
    transaction.data = std::move(data);
    // From EIP-8037 on state gas lies outside the transaction cap.
    transaction.gas_limit = fork == evm::Fork::amsterdam ? 200'000'000 : evm::limits(fork).transaction_gas;
    evm::Options options;
    options.fork = fork;
    options.block.gas_limit = 1'000'000'000;
    const auto result = evm::execute(state, transaction, options);
    if (!result.success()) throw std::runtime_error((to ? "a key does not register: " : "a contract does not deploy: ") + result.reason);
    return result.gas_used;
}

/// All parts, each in a transaction of its own, with the registry.
std::uint64_t registration_gas(evm::State state, evm::Fork fork, const contracts::Registry& registry, ByteView public_key) {
    std::uint64_t total = 0;
    for (const std::size_t part : contracts::registration_order(registry))
        total += transaction_gas(state, fork, registry.address, contracts::encode_register(public_key, part));
    return total;
}

/// The cheapest figure that someone else published or that was measured of someone else's code for this scheme.
std::optional<Published> best_published(const std::string& scheme) {
    std::optional<Published> best;
    const auto data = nlohmann::json::parse(kEvmPeers);
    for (const auto& peer : data.at("figures")) {
        if (peer.at("scheme") != scheme || !peer.value("comparable", true)) continue;
        const auto gas = peer.at("gas").get<std::uint64_t>();
        if (!best || gas < best->gas) best = Published{gas, peer.at("source").get<std::string>()};
    }
    return best;
}

}  // namespace

namespace {

GasRow measure_input(const contracts::ContractInfo& info, const Input& input, std::size_t samples) {
    if (samples == 0) throw std::invalid_argument("no samples");
    if (input.given) samples = 1;
    auto built = contracts::build_contract(info.name);
    if (!built) throw std::runtime_error(built.error().message);
    const contracts::Contract contract = std::move(*built);
    const auto verify = [&](const Sample& s, bool profile) {
        auto verdict = contracts::run_verifier(contract, s.public_key, s.message, s.signature, s.context, input.door, profile);
        if (!verdict) throw std::runtime_error(verdict.error().message);
        if (!verdict->accepted) throw std::runtime_error("the contract " + info.name + " refuses a good signature");
        return std::move(*verdict);
    };

    std::vector<std::pair<std::uint64_t, std::size_t>> gas;
    for (std::size_t i = 0; i < samples; ++i) gas.emplace_back(verify(make_sample(info, input, i), false).result.exec_gas, i);
    std::sort(gas.begin(), gas.end());
    const auto& median = gas[gas.size() / 2];

    GasRow row;
    row.contract = info.name;
    row.form = contracts::name(info.key_form);
    row.input = input.name;
    row.samples = samples;
    row.exec_min = gas.front().first;
    row.exec_median = median.first;
    row.exec_max = gas.back().first;
    row.code_bytes = contract.runtime.size();

    const Sample shown = make_sample(info, input, median.second);
    row.regions = verify(shown, true).regions;
    std::uint64_t sum = 0;
    for (const auto& r : row.regions) sum += r.gas;
    if (sum != row.exec_median) throw std::logic_error("gas by region does not sum to the gas of the whole");

    const bool wire = info.key_form == contracts::KeyForm::wire;
    const Bytes calldata = contracts::encode_call(input.door, wire ? ByteView(shown.public_key) : ByteView(kKey), shown.message,
                                                  shown.signature, shown.context);
    const auto zeros = static_cast<std::uint64_t>(std::count(calldata.begin(), calldata.end(), 0));
    const std::uint64_t others = calldata.size() - zeros;
    row.calldata_bytes = calldata.size();
    row.calldata_gas = 4 * zeros + 16 * others;
    row.calldata_floor_7623 = 10 * (zeros + 4 * others);
    row.calldata_floor_7976 = 64 * calldata.size();

    const auto registry = contracts::find_registry(info.scheme, info.key_form);
    evm::State state;
    if (registry) contracts::place_registry(state, *registry);
    if (registry) {
        row.registration_gas = registration_gas(state, evm::Fork::osaka, *registry, shown.public_key);
        row.registration_gas_8037 = registration_gas(state, evm::Fork::amsterdam, *registry, shown.public_key);
    }
    if (!registry && info.key_form == contracts::KeyForm::expanded) {
        const auto blob = contracts::expand_key(info.scheme, shown.public_key, info.key_form);
        if (!blob) throw std::runtime_error(blob.error().message);
        for (const auto& part : blob->parts) {
            const Bytes creation = contracts::creation_code(part);
            row.registration_gas += transaction_gas(state, evm::Fork::osaka, std::nullopt, creation);
            row.registration_gas_8037 += transaction_gas(state, evm::Fork::amsterdam, std::nullopt, creation);
        }
    }
    row.deploy_gas = transaction_gas(state, evm::Fork::osaka, std::nullopt, contract.init);
    // What it calls has to be there too.
    for (const auto& companion : contract.companions) {
        row.code_bytes += companion.runtime.size();
        row.deploy_gas += transaction_gas(state, evm::Fork::osaka, std::nullopt, companion.init);
    }
    // Figures of others are for keys that are registered, or for this one message.
    row.best_published = best_published(!wire ? info.scheme : info.name + ", " + input.name);
    return row;
}

}  // namespace

std::vector<GasRow> measure_gas(const contracts::ContractInfo& info, std::size_t samples) {
    std::vector<GasRow> rows;
    if (info.scheme.empty()) return rows;  // verifies nothing itself
    for (const Input& input : inputs_for(info)) rows.push_back(measure_input(info, input, samples));
    return rows;
}

ordered_json gas_json(const std::vector<GasRow>& rows) {
    auto list = ordered_json::array();
    for (const GasRow& r : rows) {
        auto regions = ordered_json::array();
        for (const auto& region : r.regions) regions.push_back({{"name", region.name}, {"gas", region.gas}});
        ordered_json row{{"contract", r.contract},
                         {"form", r.form},
                         {"input", r.input},
                         {"samples", r.samples},
                         {"exec", {{"min", r.exec_min}, {"median", r.exec_median}, {"max", r.exec_max}}},
                         {"code_bytes", r.code_bytes},
                         {"calldata_bytes", r.calldata_bytes},
                         {"calldata_gas", r.calldata_gas},
                         {"calldata_floor_7623", r.calldata_floor_7623},
                         {"calldata_floor_7976", r.calldata_floor_7976},
                         {"deploy_gas", r.deploy_gas},
                         {"registration_gas", r.registration_gas},
                         {"registration_gas_8037", r.registration_gas_8037},
                         {"regions", std::move(regions)}};
        row["best_published"] =
            r.best_published ? ordered_json{{"gas", r.best_published->gas}, {"source", r.best_published->source}} : ordered_json(nullptr);
        list.push_back(std::move(row));
    }
    return {{"fork", "osaka"}, {"rows", std::move(list)}};
}

namespace {

bool same_input(const ordered_json& a, const ordered_json& b) {
    return a.at("contract") == b.at("contract") && a.at("input") == b.at("input");
}

void compare_row(const ordered_json& before, const ordered_json& now, std::vector<std::string>& lines) {
    const auto compare = [&](const std::string& figure, const ordered_json& old_value, const ordered_json& new_value) {
        const auto was = old_value.get<std::uint64_t>(), is = new_value.get<std::uint64_t>();
        if (is > was) lines.push_back(fmt::format("{}: {} rose from {} to {}", now.at("contract").get<std::string>(), figure, was, is));
    };
    if (before.at("samples") != now.at("samples"))
        fail(Exit::usage, "the baseline has {} samples, this table {}", before.at("samples").dump(), now.at("samples").dump());
    for (const char* key : {"min", "median", "max"})
        compare(fmt::format("exec {}", key), before.at("exec").at(key), now.at("exec").at(key));
    for (const char* key : {"code_bytes", "calldata_bytes", "calldata_gas", "calldata_floor_7623", "calldata_floor_7976", "deploy_gas",
                            "registration_gas", "registration_gas_8037"})
        compare(key, before.at(key), now.at(key));
}

}  // namespace

std::vector<std::string> risen_figures(const ordered_json& baseline, const ordered_json& now) {
    std::vector<std::string> lines;
    try {
        const auto& rows = now.at("rows");
        for (const auto& before : baseline.at("rows")) {
            const auto it = std::find_if(rows.begin(), rows.end(), [&](const auto& row) { return same_input(row, before); });
            if (it == rows.end()) {
                lines.push_back(fmt::format("{}: is in the baseline, but not in the table", before.at("contract").get<std::string>()));
            } else {
                compare_row(before, *it, lines);
            }
        }
    } catch (const nlohmann::json::exception& e) {
        fail(Exit::malformed, "the baseline is not a gas table: {}", e.what());
    }
    return lines;
}

}  // namespace postern::cli
