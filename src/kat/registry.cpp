#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "kat/families.hpp"
#include "kat/run.hpp"

namespace postern::kat {

namespace {

template <class Visit>
void for_each_kind(Visit visit) {
    for (const auto family :
         {mldsa_acvp_kinds(), mldsa_wycheproof_kinds(), mldsa_answer_kinds(), mldsa_cctv_kinds(), mldsa_encoding_kinds(),
          mldsa_certificate_kinds(), mldsa_eth_kinds(), falcon_recover_kinds(), fndsa_kinds(), falcon_kinds(), hash_acvp_kinds(),
          hash_answer_kinds(), hash_vector_kinds(), hash_intermediate_kinds(), other_scheme_kinds()}) {
        for (const Kind& kind : family) visit(kind);
    }
}

}  // namespace

std::vector<std::string> kind_names() {
    std::vector<std::string> names;
    for_each_kind([&](const Kind& kind) { names.emplace_back(kind.name); });
    return names;
}

FileReport run_file(const std::filesystem::path& path, const Options& options) {
    const Document document = Document::load(path);
    const Kind* found = nullptr;
    for_each_kind([&](const Kind& kind) {
        if (found == nullptr && kind.recognise(document)) found = &kind;
    });
    if (found == nullptr) throw Malformed("not a kind of vector file that is known (see postern kat --help)");
    FileReport report;
    report.file = path.string();
    report.kind = found->name;
    Run run(report, options);
    try {
        found->run(document, run);
    } catch (const nlohmann::json::exception& e) {
        throw Malformed(fmt::format("{} file: {}", found->name, e.what()));
    } catch (const Malformed& e) {
        throw Malformed(fmt::format("{} file: {}", found->name, e.what()));
    }
    if (report.passed + report.failed + report.skipped == 0) throw Malformed(fmt::format("{} file without cases", found->name));
    return report;
}

}  // namespace postern::kat
