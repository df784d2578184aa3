// postern schemes: what there is.

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <postern/falcon_scheme.hpp>
#include <postern/mldsa.hpp>

#include "cli/commands.hpp"

namespace postern::cli {

namespace {

void run(bool json, Console& console) {
    if (!json)
        console.print("{:<20} {:>5} {:>11} {:>12} {:>10} {:>9}  {}\n", "scheme", "seed", "public key", "private key", "signature",
                      "category", "standard");
    auto rows = nlohmann::ordered_json::array();
    for (const mldsa::Scheme& s : mldsa::schemes()) {
        if (json) {
            rows.push_back({{"scheme", s.name},
                            {"seed_bytes", mldsa::seed_bytes},
                            {"public_key_bytes", s.public_key_bytes},
                            {"private_key_bytes", s.private_key_bytes},
                            {"signature_bytes", s.signature_bytes},
                            {"category", s.category},
                            {"standard", s.standard()}});
        } else {
            console.print("{:<20} {:>5} {:>11} {:>12} {:>10} {:>9}  {}\n", s.name, mldsa::seed_bytes, s.public_key_bytes,
                          s.private_key_bytes, s.signature_bytes, s.category, s.standard() ? "FIPS 204" : "no");
        }
    }
    for (const falcon::Scheme& s : falcon::schemes()) {
        if (json) {
            rows.push_back({{"scheme", s.name},
                            {"seed_bytes", 48},
                            {"public_key_bytes", s.public_key_bytes},
                            {"private_key_bytes", s.private_key_bytes},
                            {"signature_bytes", s.signature_bytes},
                            {"category", s.category},
                            {"standard", false}});
        } else {
            console.print("{:<20} {:>5} {:>11} {:>12} {:>10} {:>9}  {}\n", s.name, 48, s.public_key_bytes, s.private_key_bytes,
                          s.signature_bytes, s.category, s.standard() ? "Falcon round 3" : "no");
        }
    }
    if (json) console.print("{}\n", nlohmann::ordered_json{{"schemes", rows}}.dump(2));
}

}  // namespace

void add_schemes(CLI::App& app, Console& console) {
    CLI::App* cmd = app.add_subcommand("schemes", "List the signature schemes with their sizes in bytes");
    const auto json = std::make_shared<bool>(false);
    cmd->add_flag("--json", *json, "Print JSON");
    cmd->footer("Example:\n  postern schemes --json");
    cmd->callback([json, &console] { run(*json, console); });
}

}  // namespace postern::cli
