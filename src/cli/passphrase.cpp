#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include "cli/files.hpp"
#include "cli/keys.hpp"

namespace postern::cli {

void PassphraseSource::add_options(CLI::App& cmd) {
    auto* from_file = cmd.add_option("--passphrase-file", file, "File whose first line is the passphrase")->type_name("FILE");
    cmd.add_option("--passphrase-env", environment, "Environment variable that holds the passphrase")
        ->type_name("NAME")
        ->excludes(from_file);
}

namespace {

/// The controlling terminal without echo.
class Terminal {
  public:
    Terminal() : fd_(::open("/dev/tty", O_RDWR | O_CLOEXEC)) {
        if (fd_ < 0) return;
        if (::tcgetattr(fd_, &saved_) != 0) {
            ::close(std::exchange(fd_, -1));
            return;
        }
        termios quiet = saved_;
        quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
        ::tcsetattr(fd_, TCSAFLUSH, &quiet);
    }
    ~Terminal() {
        if (fd_ < 0) return;
        ::tcsetattr(fd_, TCSAFLUSH, &saved_);
        ::close(fd_);
    }
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;
    bool open() const { return fd_ >= 0; }
    std::string ask(const std::string& prompt) {
        say(prompt);
        std::string line;
        char c = 0;
        while (::read(fd_, &c, 1) == 1 && c != '\n') line += c;
        say("\n");
        return line;
    }

  private:
    void say(const std::string& text) {
        if (::write(fd_, text.data(), text.size()) < 0) fail(Exit::io, "cannot write to the terminal");
    }
    int fd_;
    termios saved_{};
};

}  // namespace

std::string PassphraseSource::get(const std::string& what, bool confirm) const {
    std::string phrase;
    if (!file.empty()) {
        const Bytes content = read_file(file, 1 << 16);
        phrase.assign(content.begin(), content.end());
        phrase.resize(std::min(phrase.find('\n'), phrase.size()));
        if (phrase.ends_with('\r')) phrase.pop_back();
        if (phrase.empty()) fail(Exit::malformed, "the first line of {} is empty, expected a passphrase", file);
        return phrase;
    }
    if (!environment.empty()) {
        const char* value = std::getenv(environment.c_str());
        if (value == nullptr || *value == '\0') fail(Exit::usage, "the environment variable {} holds no passphrase", environment);
        return value;
    }
    Terminal terminal;
    if (!terminal.open())
        fail(Exit::usage, "{} needs a passphrase: --passphrase-file or --passphrase-env (there is no terminal to ask)", what);
    phrase = terminal.ask(fmt::format("Passphrase for {}: ", what));
    if (confirm && terminal.ask("Once more: ") != phrase) fail(Exit::usage, "the two passphrases differ");
    if (phrase.empty()) fail(Exit::usage, "an empty passphrase protects nothing");
    return phrase;
}

}  // namespace postern::cli
