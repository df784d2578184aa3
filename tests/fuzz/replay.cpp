// Stands in for libFuzzer in ordinary builds: runs every seed and some mutations of it, the same ones every time.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Input = std::vector<std::uint8_t>;
constexpr int mutations_per_seed = 60;

// The vector's own storage ends where the input ends, so that a sanitizer sees a read beyond it.
void run(const Input& input) {
    const Input exact(input);
    LLVMFuzzerTestOneInput(exact.data(), exact.size());
}

Input mutate(const Input& seed, std::mt19937& random) {
    Input out = seed;
    const auto below = [&](std::size_t bound) { return static_cast<std::size_t>(random() % std::max<std::size_t>(bound, 1)); };
    switch (random() % 5) {
        case 0:
            out.resize(below(out.size()));
            break;
        case 1:
            out.insert(out.end(), 1 + below(40), static_cast<std::uint8_t>(random()));
            break;
        case 2:
            if (!out.empty()) out.erase(out.begin() + static_cast<std::ptrdiff_t>(below(out.size())));
            break;
        default:
            for (std::size_t i = 1 + below(8); i > 0 && !out.empty(); --i)
                out[below(out.size())] ^= static_cast<std::uint8_t>(1U << (random() % 8));
    }
    return out;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s SEED-FOLDER\n", argv[0]);
        return 2;
    }
    try {
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        std::mt19937 random(1);  // NOLINT(cert-msc51-cpp): the same mutations every time
        run({});
        for (const auto& file : files) {
            std::ifstream in(file, std::ios::binary);
            const Input seed{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
            run(seed);
            for (int i = 0; i < mutations_per_seed; ++i) run(mutate(seed, random));
        }
        std::printf("%zu seeds, %d mutations each\n", files.size(), mutations_per_seed);
        return files.empty() ? 1 : 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "an input made the decoder throw: %s\n", e.what());
        return 1;
    }
}
