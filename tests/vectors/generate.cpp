// Writes the vectors of this folder again: mldsa_vectors_generate FOLDER

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>

#include "vectors/mldsa_vectors.hpp"

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: %s FOLDER\n", argv[0]);
        return 2;
    }
    try {
        for (const auto& [name, text] : postern::test::make_mldsa_vectors()) {
            const auto path = std::filesystem::path(argv[1]) / name;
            std::ofstream out(path, std::ios::binary);
            if (!(out << text) || !out.flush()) throw std::runtime_error("cannot write " + path.string());
            std::printf("%s\n", path.c_str());
        }
        return 0;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 4;
    }
}
