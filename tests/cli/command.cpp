#include "cli/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

namespace postern::test {

CommandTest::CommandTest() {
    std::string name = (std::filesystem::temp_directory_path() / "postern-cli-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    dir_ = name;
}

CommandTest::~CommandTest() {
    std::error_code ec;
    std::filesystem::remove_all(dir_, ec);
}

void CommandTest::write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
}

std::string CommandTest::read(const std::string& name) const {
    std::ifstream in(path(name), std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return std::move(out).str();
}

std::map<std::string, std::string> CommandTest::contents() const {
    std::map<std::string, std::string> out;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(dir_)) {
        const auto name = std::filesystem::relative(entry.path(), dir_).string();
        out[name] = entry.is_regular_file() ? read(name) : "(no file)";
    }
    return out;
}

CommandResult CommandTest::run(const std::vector<std::string>& arguments, const std::string& input,
                               const std::map<std::string, std::string>& environment, const CommandLimits& limits) const {
    // Through files: no deadlock however much is read or written.
    const std::string base = (std::filesystem::temp_directory_path() / ("postern-io-" + std::to_string(::getpid()))).string();
    std::ofstream(base + ".in", std::ios::binary) << input;
    const pid_t child = ::fork();
    if (child < 0) throw std::runtime_error("fork failed");
    if (child == 0) {
        const auto redirect = [](const std::string& file, int flags, int fd) {
            const int opened = ::open(file.c_str(), flags, 0600);
            if (opened < 0 || ::dup2(opened, fd) < 0) ::_exit(126);
        };
        redirect(base + ".in", O_RDONLY, 0);
        redirect(base + ".out", O_WRONLY | O_CREAT | O_TRUNC, 1);
        redirect(base + ".err", O_WRONLY | O_CREAT | O_TRUNC, 2);
        ::setsid();  // no terminal to ask for a passphrase
        if (::chdir(dir_.c_str()) != 0) ::_exit(126);
        for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
        const auto limit = [](auto resource, std::uint64_t value) {
            const rlimit l{value, value};
            if (value != 0 && ::setrlimit(resource, &l) != 0) ::_exit(126);
        };
        limit(RLIMIT_AS, limits.address_space);
        if (limits.file_size != 0) std::signal(SIGXFSZ, SIG_IGN);
        limit(RLIMIT_FSIZE, limits.file_size);
        std::vector<char*> argv;
        std::string program = POSTERN_COMMAND;
        argv.push_back(program.data());
        auto copies = arguments;
        for (auto& a : copies) argv.push_back(a.data());
        argv.push_back(nullptr);
        ::execv(POSTERN_COMMAND, argv.data());
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    CommandResult result;
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    const auto slurp = [&](const std::string& file) {
        std::ifstream in(file, std::ios::binary);
        std::ostringstream out;
        out << in.rdbuf();
        std::filesystem::remove(file);
        return std::move(out).str();
    };
    std::filesystem::remove(base + ".in");
    result.out = slurp(base + ".out");
    result.err = slurp(base + ".err");
    return result;
}

std::string CommandTest::ok(const std::vector<std::string>& arguments, const std::string& input,
                            const std::map<std::string, std::string>& environment) const {
    const auto result = run(arguments, input, environment);
    EXPECT_EQ(result.code, 0) << arguments.front() << ": " << result.err;
    EXPECT_EQ(result.err, "");
    return result.out;
}

void CommandTest::refused(int code, const std::vector<std::string>& arguments, const std::string& text, const std::string& input,
                          const std::map<std::string, std::string>& environment, const CommandLimits& limits) const {
    std::string shown = "postern";
    for (const auto& a : arguments) shown += " " + a;
    SCOPED_TRACE(shown);
    const auto before = contents();
    const auto result = run(arguments, input, environment, limits);
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("postern: ")) << result.err;
    EXPECT_EQ(result.err.find('\n'), result.err.size() - 1) << "not one line: " << result.err;
    EXPECT_NE(result.err.find(text), std::string::npos) << result.err << " does not contain: " << text;
    EXPECT_EQ(contents(), before) << "files changed";
}

void CommandTest::make_signature(const std::string& scheme) const {
    write("msg", "a message");
    ok({"keygen", "--scheme", scheme, "--out", "key.pem", "--pub", "pub.pem"});
    ok({"sign", "--key", "key.pem", "--in", "msg", "--out", "sig"});
}

std::string noise(std::size_t count, unsigned seed) {
    std::mt19937 generator(seed);
    std::string out(count, '\0');
    for (auto& c : out) c = static_cast<char>(generator() & 0xff);
    return out;
}

}  // namespace postern::test
