#include "cli/verdict.hpp"

#include <nlohmann/json.hpp>

namespace postern::cli {

void print_verdict(bool json, bool valid, std::string_view reason, Console& console) {
    if (json) {
        nlohmann::ordered_json out{{"valid", valid}};
        if (!valid) out["reason"] = reason;
        console.print("{}\n", out.dump());
    } else if (valid) {
        console.print("valid\n");
    } else {
        console.print("invalid: {}\n", reason);
    }
    if (!valid) console.code = Exit::refused;
}

}  // namespace postern::cli
