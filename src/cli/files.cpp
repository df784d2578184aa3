#include "cli/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <optional>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace postern::cli {

namespace {

void write_all(int fd, ByteView bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) fail(Exit::io, "cannot write {}: {}", path, std::strerror(errno));
        bytes = bytes.subspan(static_cast<std::size_t>(n));
    }
}

class Descriptor {
  public:
    explicit Descriptor(int fd) : fd_(fd) {}
    ~Descriptor() {
        if (fd_ >= 0) ::close(fd_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    int get() const { return fd_; }
    int close() { return ::close(std::exchange(fd_, -1)); }

  private:
    int fd_;
};

mode_t current_umask() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return mask;
}

}  // namespace

namespace {

/// Device and inode of every regular file that this command has read.
std::vector<std::pair<dev_t, ino_t>>& files_read() {
    static std::vector<std::pair<dev_t, ino_t>> files;
    return files;
}

bool was_read(const struct stat& status) {
    const auto& files = files_read();
    return std::find(files.begin(), files.end(), std::pair(status.st_dev, status.st_ino)) != files.end();
}

}  // namespace

void FileReader::Close::operator()(std::FILE* f) const {
    if (f != stdin) std::fclose(f);
}

FileReader::FileReader(const std::string& path) : path_(path == "-" ? "standard input" : path) {
    errno = 0;
    file_.reset(path == "-" ? stdin : std::fopen(path.c_str(), "rb"));
    if (!file_) fail(Exit::io, "cannot open {}: {}", path_, std::strerror(errno));
    struct stat status {};
    if (::fstat(::fileno(file_.get()), &status) == 0 && S_ISREG(status.st_mode)) files_read().emplace_back(status.st_dev, status.st_ino);
}

void FileReader::pump(const std::function<void(ByteView)>& take) {
    std::array<std::uint8_t, 1 << 16> buffer{};
    while (true) {
        errno = 0;
        const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), file_.get());
        if (n > 0) take(ByteView(buffer).first(n));
        if (n < buffer.size() && std::ferror(file_.get()) != 0) fail(Exit::io, "cannot read {}: {}", path_, std::strerror(errno));
        if (n < buffer.size() && std::feof(file_.get()) != 0) return;
    }
}

Bytes FileReader::read_all(std::size_t limit) {
    Bytes out;
    pump([&](ByteView part) {
        if (out.size() + part.size() > limit) fail(Exit::malformed, "{}: larger than {} bytes", path_, limit);
        out.insert(out.end(), part.begin(), part.end());
    });
    return out;
}

Bytes read_file(const std::string& path, std::size_t limit) {
    if (path != "-") return FileReader(path).read_all(limit);
    // Standard input can be read only once, but be looked at by more than one decoder.
    static std::optional<Bytes> standard_input;
    if (!standard_input) standard_input = FileReader(path).read_all(limit);
    return *standard_input;
}

Outputs::~Outputs() {
    for (const Staged& s : staged_)
        if (!s.temporary.empty()) ::unlink(s.temporary.c_str());
}

void Outputs::add(const std::string& path, ByteView bytes, bool secret) {
    if (path == "-") {
        staged_.push_back({{}, "-", Bytes(bytes.begin(), bytes.end())});
        return;
    }
    if (path.empty()) fail(Exit::usage, "the name of a file to write is empty");
    std::string destination = path;
    struct stat info {};
    if (::stat(path.c_str(), &info) == 0) {
        if (S_ISDIR(info.st_mode)) fail(Exit::io, "cannot write {}: it is a directory", path);
        if (!S_ISREG(info.st_mode)) {
            staged_.push_back({{}, path, Bytes(bytes.begin(), bytes.end())});
            return;
        }
        if (was_read(info) && path != replaceable_) fail(Exit::usage, "{} is an input of this command and would be overwritten", path);
        if (::access(path.c_str(), W_OK) != 0) fail(Exit::io, "cannot write {}: {}", path, std::strerror(errno));
        std::error_code link_ec;
        if (const auto real = std::filesystem::canonical(path, link_ec); !link_ec) destination = real.string();  // keep symbolic links
    }
    // Two results of one command in one file: the second would silently replace the first.
    std::error_code ec;
    const auto place = std::filesystem::weakly_canonical(std::filesystem::absolute(destination), ec);
    for (const Staged& s : staged_) {
        if (!s.temporary.empty() && std::filesystem::weakly_canonical(std::filesystem::absolute(s.destination), ec) == place) {
            fail(Exit::usage, "two results of this command would go to the same file {}", path);
        }
    }
    const auto slash = destination.rfind('/');
    std::string temporary = slash == std::string::npos ? ".postern-XXXXXX" : destination.substr(0, slash + 1) + ".postern-XXXXXX";
    Descriptor fd(::mkstemp(temporary.data()));  // created 0600
    if (fd.get() < 0) fail(Exit::io, "cannot write {}: {}", path, std::strerror(errno));
    staged_.push_back({temporary, destination, {}});
    write_all(fd.get(), bytes, path);
    if (!secret && ::fchmod(fd.get(), 0666 & ~current_umask()) != 0) fail(Exit::io, "cannot write {}: {}", path, std::strerror(errno));
    if (fd.close() != 0) fail(Exit::io, "cannot write {}: {}", path, std::strerror(errno));
}

void Outputs::add(const std::string& path, std::string_view text, bool secret) {
    add(path, ByteView(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), secret);
}

void Outputs::commit() {
    // What cannot be taken back comes first: if it fails, nothing else has appeared.
    for (const Staged& s : staged_) {
        if (!s.temporary.empty()) continue;
        if (s.destination == "-") {
            console_.write(s.in_place);
            console_.flush();
            continue;
        }
        Descriptor fd(::open(s.destination.c_str(), O_WRONLY | O_CLOEXEC));
        if (fd.get() < 0) fail(Exit::io, "cannot write {}: {}", s.destination, std::strerror(errno));
        write_all(fd.get(), s.in_place, s.destination);
        if (fd.close() != 0) fail(Exit::io, "cannot write {}: {}", s.destination, std::strerror(errno));
    }
    for (Staged& s : staged_) {
        if (s.temporary.empty()) continue;
        if (::rename(s.temporary.c_str(), s.destination.c_str()) != 0)
            fail(Exit::io, "cannot write {}: {}", s.destination, std::strerror(errno));
        s.temporary.clear();
    }
    staged_.clear();
}

}  // namespace postern::cli
