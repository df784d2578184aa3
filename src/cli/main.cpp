#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>

#include "cli/commands.hpp"

namespace {

using namespace postern::cli;

constexpr const char* kExamples =
    "Exit codes: 0 done, signature valid; 1 signature invalid or a check fell short; 2 wrong usage;\n"
    "3 malformed input; 4 input/output; 5 internal error.\n\n"
    "Examples:\n"
    "  postern keygen --scheme ml-dsa-44 --out key.pem --pub pub.pem\n"
    "  postern sign --key key.pem --in message --out sig\n"
    "  postern verify --key pub.pem --in message --sig sig\n"
    "  postern evm run ml-dsa-44 --key pub.pem --in message --sig sig --profile";

/// Where a word stands in place of a command, or an option in front of one: what to say about it; else nothing.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
    const CLI::App* at = &app;
    std::string path = "postern";
    for (int i = 1; i < argc; ++i) {
        const auto commands = at->get_subcommands([](const CLI::App*) { return true; });
        if (commands.empty()) return {};
        const std::string word = argv[i];
        if (word.starts_with("-")) {
            if (at->get_option_no_throw(word) != nullptr) continue;
            return "unknown option '" + word + "' (see " + path + " --help)";
        }
        const auto found = std::find_if(commands.begin(), commands.end(), [&](const CLI::App* c) { return c->get_name() == word; });
        if (found == commands.end()) return "unknown command '" + word + "' (see " + path + " --help)";
        at = *found;
        path += " " + word;
    }
    return {};
}

int run(int argc, char** argv) {
    Console console;
    CLI::App app("Post-quantum signatures for smart-contract chains", "postern");
    app.set_version_flag("--version", POSTERN_VERSION);
    app.require_subcommand(1);
    app.footer(kExamples);
    add_schemes(app, console);
    add_keygen(app, console);
    add_pubkey(app, console);
    add_sign(app, console);
    add_verify(app, console);
    add_recover(app, console);
    add_inspect(app, console);
    add_convert(app, console);
    add_kat(app, console);
    add_evm(app, console);
    add_gas(app, console);
    add_bench(app, console);
    try {
        app.parse(argc, argv);
        console.flush();
        return static_cast<int>(console.code);
    } catch (const CLI::Success& e) {  // --help, --version
        std::ostringstream text, nothing;
        app.exit(e, text, nothing);
        console.write(text.str());
        console.flush();
        return 0;
    } catch (const CLI::ParseError& e) {
        // CLI11 answers an unknown command with "A subcommand is required".
        const auto unknown = unknown_command(app, argc, argv);
        Console::complain(unknown.empty() ? e.what() : unknown);
        return static_cast<int>(Exit::usage);
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const Failure& e) {
        Console::complain(e.what());
        return static_cast<int>(e.code());
    } catch (const std::exception& e) {
        Console::complain(std::string("internal error: ") + e.what());
        return static_cast<int>(Exit::internal);
    }
}
