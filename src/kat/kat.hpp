#pragma once

// The conformance runner: official test vector files, recognised by content, run through Postern's public API.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <postern/bytes.hpp>
#include <postern/error.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace postern::kat {

/// A verifier contract, ready to be asked.
struct ContractRunner {
    std::string scheme;  ///< the signature scheme it verifies
    /// Did it accept? An error if it did not answer.
    std::function<Result<bool>(ByteView public_key, ByteView message, ByteView signature, ByteView context)> accepts;
};

struct Options {
    /// If set, verification cases that this contract can express run through it and all others are skipped.
    const ContractRunner* contract = nullptr;
};

struct Failure {
    std::string test;    ///< "tcId 12", "count 3"
    std::string reason;  ///< what was expected and what came
};

/// What became of one file.
struct FileReport {
    std::string file;
    std::string kind;  ///< "acvp-sigver"
    std::size_t passed = 0;
    std::size_t failed = 0;
    std::size_t skipped = 0;
    std::map<std::string, std::size_t> reasons;  ///< of the skipped cases
    std::vector<Failure> failures;
};

/// The file is of no known kind, or not what its kind should be: where, and what was expected.
class Malformed : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};
/// The file cannot be read.
class Unreadable : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Runs one file. Throws Malformed or Unreadable; nothing of a malformed file counts.
FileReport run_file(const std::filesystem::path& path, const Options& options = {});

/// Names of all kinds of file that are recognised.
std::vector<std::string> kind_names();

}  // namespace postern::kat
