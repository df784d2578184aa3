#pragma once

#include "cli/console.hpp"

namespace CLI {
class App;
}

namespace postern::cli {

// Each adds one subcommand, which runs in its callback.
void add_schemes(CLI::App& app, Console& console);
void add_keygen(CLI::App& app, Console& console);
void add_pubkey(CLI::App& app, Console& console);
void add_sign(CLI::App& app, Console& console);
void add_verify(CLI::App& app, Console& console);
void add_recover(CLI::App& app, Console& console);
void add_inspect(CLI::App& app, Console& console);
void add_convert(CLI::App& app, Console& console);
void add_kat(CLI::App& app, Console& console);
void add_evm(CLI::App& app, Console& console);
void add_gas(CLI::App& app, Console& console);
void add_bench(CLI::App& app, Console& console);

}  // namespace postern::cli
