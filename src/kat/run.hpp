#pragma once

// What a kind of vector file is written with. See README.md.

#include <functional>
#include <postern/mldsa.hpp>
#include <string>
#include <string_view>

#include "kat/document.hpp"
#include "kat/kat.hpp"

namespace postern::kat {

/// "Does this signature verify?" with the answer that the file gives.
struct VerifyCase {
    std::string scheme;  ///< name of the signature scheme, as contracts know it
    std::size_t public_key_bytes = 0;
    Bytes public_key;
    Bytes message;
    Bytes context;
    Bytes signature;
    bool valid = true;
    /// The native answer.
    std::function<mldsa::Verdict()> native;
};

/// Collects the outcome of the cases of one file.
class Run {
  public:
    Run(FileReport& report, const Options& options) : report_(report), options_(options) {}

    /// A case that only native code can run; `what` it is is the reason for skipping it with a contract.
    void native(const std::string& id, std::string_view what, const std::function<Status()>& body);
    /// A verification that native code or a contract can run.
    void verify(const std::string& id, const VerifyCase& test);
    void skip(std::string_view reason, std::size_t cases = 1);
    bool with_contract() const { return options_.contract != nullptr; }

  private:
    void record(const std::string& id, const Status& outcome);
    FileReport& report_;
    const Options& options_;
};

/// One kind of vector file. `recognise` looks at content (and at the name only where the content does not tell); `run` may throw
/// Malformed, and nlohmann's exceptions, which the runner turns into it.
struct Kind {
    std::string_view name;
    bool (*recognise)(const Document&);
    void (*run)(const Document&, Run&);
};

/// Equal, or an error that names `what` and shows where they part.
Status expect_equal(std::string_view what, ByteView actual, ByteView expected);
/// Accepts or refuses as expected.
Status expect_verdict(const mldsa::Verdict& verdict, bool valid);

}  // namespace postern::kat
