#include "support/evm_json.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <stdexcept>

#include "hash/sha3.hpp"

namespace postern::test {

std::vector<std::filesystem::path> sorted_json_files(const std::filesystem::path& dir) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(dir)) {
        if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

Json read_json(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    return Json::parse(in);
}

Bytes json_bytes(const Json& j) {
    const auto text = j.get<std::string>();
    Result<Bytes> bytes = from_hex(text);
    if (!bytes) throw std::invalid_argument(text + ": " + bytes.error().message);
    return *std::move(bytes);
}

evm::Word json_word(const Json& j) {
    const auto text = j.get<std::string>();
    const Result<U256> v = parse_u256(text == "0x" || text.empty() ? "0x0" : text);
    if (!v) throw std::invalid_argument(text + ": " + v.error().message);
    return evm::to_word(*v);
}

std::uint64_t json_u64(const Json& j) {
    const U256 v = evm::to_u256(json_word(j));
    if (!v.fits_u64()) throw std::invalid_argument(j.get<std::string>() + " does not fit 64 bits");
    return v.low64();
}

evm::Address address_of(const std::string& hex) {
    const Result<evm::Address> a = evm::parse_address(hex);
    if (!a) throw std::invalid_argument(a.error().message);
    return *a;
}
evm::Address json_address(const Json& j) { return address_of(j.get<std::string>()); }

void load_accounts(evm::State& state, const Json& accounts) {
    for (const auto& [hex, account] : accounts.items()) {
        const evm::Address a = address_of(hex);
        state.set_balance(a, json_word(account.at("balance")));
        state.set_nonce(a, json_u64(account.at("nonce")));
        state.set_code(a, json_bytes(account.at("code")));
        for (const auto& [key, value] : account.at("storage").items()) state.set_storage(a, json_word(Json(key)), json_word(value));
    }
}

evm::Block json_block(const Json& env) {
    evm::Block b;
    b.coinbase = json_address(env.at("currentCoinbase"));
    b.number = json_u64(env.at("currentNumber"));
    b.timestamp = json_u64(env.at("currentTimestamp"));
    b.gas_limit = json_u64(env.at("currentGasLimit"));
    if (env.contains("currentBaseFee")) b.base_fee = json_word(env.at("currentBaseFee"));
    b.prev_randao = json_word(env.contains("currentRandom") ? env.at("currentRandom") : env.at("currentDifficulty"));
    // The test format: the hash of block n is keccak256 of n in decimal.
    b.block_hash = [](std::uint64_t n) { return hash::keccak256(std::string_view(std::to_string(n))); };
    return b;
}

namespace {

Bytes rlp(std::uint8_t base, const Bytes& payload) {
    Bytes out;
    if (payload.size() < 56) {
        out.push_back(static_cast<std::uint8_t>(base + payload.size()));
    } else {
        Bytes size;
        for (std::size_t n = payload.size(); n != 0; n >>= 8) size.insert(size.begin(), static_cast<std::uint8_t>(n));
        out.push_back(static_cast<std::uint8_t>(base + 55 + size.size()));
        out.insert(out.end(), size.begin(), size.end());
    }
    out.insert(out.end(), payload.begin(), payload.end());
    return out;
}
void append(Bytes& to, const Bytes& what) { to.insert(to.end(), what.begin(), what.end()); }
Bytes rlp_string(ByteView s) {
    const Bytes bytes(s.begin(), s.end());
    return bytes.size() == 1 && bytes[0] < 0x80 ? bytes : rlp(0x80, bytes);
}

}  // namespace

std::array<std::uint8_t, 32> logs_hash(const std::vector<evm::Log>& logs) {
    Bytes list;
    for (const evm::Log& log : logs) {
        Bytes topics;
        for (const evm::Word& topic : log.topics) append(topics, rlp_string(topic));
        Bytes entry = rlp_string(log.address);
        append(entry, rlp(0xc0, topics));
        append(entry, rlp_string(log.data));
        append(list, rlp(0xc0, entry));
    }
    return hash::keccak256(ByteView(rlp(0xc0, list)));
}

void expect_same_accounts(const evm::State& actual, const evm::State& expected) {
    std::set<evm::Address> all;
    for (const evm::Address& a : actual.addresses()) all.insert(a);
    for (const evm::Address& a : expected.addresses()) all.insert(a);
    for (const evm::Address& a : all) {
        SCOPED_TRACE("account " + to_hex_0x(a));
        EXPECT_EQ(actual.exists(a), expected.exists(a));
        EXPECT_EQ(to_hex_0x(actual.balance(a)), to_hex_0x(expected.balance(a)));
        EXPECT_EQ(actual.nonce(a), expected.nonce(a));
        EXPECT_TRUE(std::ranges::equal(actual.code(a), expected.code(a)));
        EXPECT_EQ(actual.storage(a), expected.storage(a));
    }
}

}  // namespace postern::test
