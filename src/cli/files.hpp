#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <postern/bytes.hpp>
#include <string>
#include <vector>

#include "cli/console.hpp"

namespace postern::cli {

/// A whole file, or standard input for "-". Throws Failure(io); Failure(malformed) beyond `limit` bytes.
Bytes read_file(const std::string& path, std::size_t limit = std::size_t{64} << 20);

/// A file (or standard input for "-") in pieces: memory use does not grow with its size. Throws Failure(io).
class FileReader {
  public:
    explicit FileReader(const std::string& path);
    /// Calls `take` with every piece until the end.
    void pump(const std::function<void(ByteView)>& take);
    /// The rest; Failure(malformed) beyond `limit` bytes.
    Bytes read_all(std::size_t limit);

  private:
    struct Close {
        void operator()(std::FILE* f) const;
    };
    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
};

/// Files that appear all together or not at all: each is written beside its destination under a temporary name, and renamed
/// in commit(). "-" is standard output. What is no regular file (a device, a pipe) is written in place.
class Outputs {
  public:
    explicit Outputs(Console& console) : console_(console) {}
    ~Outputs();
    Outputs(const Outputs&) = delete;
    Outputs& operator=(const Outputs&) = delete;

    /// The one input that may be replaced by a result under the same name; any other that would be is Failure(usage).
    void may_replace(const std::string& input) { replaceable_ = input; }
    /// `secret`: mode 0600. Throws Failure(io).
    void add(const std::string& path, ByteView bytes, bool secret = false);
    void add(const std::string& path, std::string_view text, bool secret = false);
    void commit();

  private:
    struct Staged {
        std::string temporary, destination;
        Bytes in_place;
    };
    Console& console_;
    std::vector<Staged> staged_;
    std::string replaceable_;
};

}  // namespace postern::cli
