#pragma once

// Runs the built postern command in a folder of its own.

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace postern::test {

struct CommandResult {
    int code = -1;  ///< exit code; 128 + signal if it was killed
    std::string out, err;
};

struct CommandLimits {
    std::uint64_t address_space = 0;  ///< bytes; 0: none
    std::uint64_t file_size = 0;      ///< bytes a file may grow to; 0: none
};

class CommandTest : public testing::Test {
  protected:
    CommandTest();
    ~CommandTest() override;

    /// A path inside the folder.
    std::string path(const std::string& name) const { return (dir_ / name).string(); }
    void write(const std::string& name, const std::string& content) const;
    std::string read(const std::string& name) const;
    bool exists(const std::string& name) const { return std::filesystem::exists(dir_ / name); }

    /// Runs in the folder; arguments without a slash name files there.
    CommandResult run(const std::vector<std::string>& arguments, const std::string& input = {},
                      const std::map<std::string, std::string>& environment = {}, const CommandLimits& limits = {}) const;
    /// Must succeed; gives its standard output.
    std::string ok(const std::vector<std::string>& arguments, const std::string& input = {},
                   const std::map<std::string, std::string>& environment = {}) const;
    /// Must fail with this code and one line on standard error that contains `text`, print nothing, and change no file.
    void refused(int code, const std::vector<std::string>& arguments, const std::string& text = {}, const std::string& input = {},
                 const std::map<std::string, std::string>& environment = {}, const CommandLimits& limits = {}) const;

    /// key.pem, pub.pem, msg and sig of one scheme.
    void make_signature(const std::string& scheme = "ml-dsa-44") const;

  private:
    std::map<std::string, std::string> contents() const;
    std::filesystem::path dir_;
};

/// `count` bytes that look random, always the same.
std::string noise(std::size_t count, unsigned seed = 1);

}  // namespace postern::test
