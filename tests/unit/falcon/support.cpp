#include "support.hpp"

#include <fstream>
#include <stdexcept>

#include "core/hex.hpp"

namespace postern::test {

nlohmann::json read_json(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("cannot read " + file.string());
    return nlohmann::json::parse(in);
}

Bytes unhex(const std::string& text) { return must(from_hex(text)); }

std::vector<int> read_list(const std::string& text) {
    std::vector<int> out;
    std::size_t i = 0;
    while (i < text.size()) {
        if ((text[i] >= '0' && text[i] <= '9') || text[i] == '-') {
            std::size_t used = 0;
            out.push_back(std::stoi(text.substr(i), &used));
            i += used;
        } else {
            ++i;
        }
    }
    return out;
}

Bytes words_bytes(const nlohmann::json& words) {
    Bytes out;
    for (const auto& word : words) {
        std::string hex = word.get<std::string>().substr(2);
        hex.insert(0, 64 - hex.size(), '0');
        const Bytes bytes = unhex(hex);
        out.insert(out.end(), bytes.begin(), bytes.end());
    }
    return out;
}

falcon::Salt salt_from(ByteView bytes) {
    falcon::Salt salt;
    if (bytes.size() < salt.size()) throw std::runtime_error("no salt");
    std::copy_n(bytes.begin(), salt.size(), salt.begin());
    return salt;
}

}  // namespace postern::test
