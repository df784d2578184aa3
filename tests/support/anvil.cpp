#include "support/anvil.hpp"

#include <curl/curl.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "core/hex.hpp"
#include "support/vectors.hpp"

namespace postern::test {

using nlohmann::json;

std::optional<std::filesystem::path> find_anvil() {
    const char* env = std::getenv("POSTERN_ANVIL");
    const std::filesystem::path path =
        env != nullptr && *env != '\0' ? std::filesystem::path(env) : source_dir() / "node_modules" / ".bin" / "anvil";
    if (::access(path.c_str(), X_OK) != 0) return std::nullopt;
    return path;
}

namespace {

std::string quantity(std::uint64_t v) {
    std::array<char, 20> text{};
    std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(v));
    return text.data();
}

/// A file without a name, for the child's output.
int nameless_file() {
    std::string path = (std::filesystem::temp_directory_path() / "postern-anvil-XXXXXX").string();
    const int fd = ::mkstemp(path.data());
    if (fd < 0) throw std::runtime_error("cannot create a temporary file");
    ::unlink(path.c_str());
    return fd;
}

std::string contents(int fd) {
    std::string text(1 << 16, '\0');
    const ssize_t n = ::pread(fd, text.data(), text.size(), 0);
    text.resize(n < 0 ? 0 : static_cast<std::size_t>(n));
    return text;
}

std::size_t append_response(char* data, std::size_t size, std::size_t count, void* to) {
    static_cast<std::string*>(to)->append(data, size * count);
    return size * count;
}

struct CurlFree {
    void operator()(CURL* p) const { curl_easy_cleanup(p); }
    void operator()(curl_slist* p) const { curl_slist_free_all(p); }
};

}  // namespace

struct Anvil::Impl {
    pid_t pid = -1;
    int log = -1;
    std::string url;
    std::unique_ptr<CURL, CurlFree> curl{curl_easy_init()};
    std::unique_ptr<curl_slist, CurlFree> headers{curl_slist_append(nullptr, "Content-Type: application/json")};

    Impl() = default;
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() {
        if (pid > 0) {
            ::kill(-pid, SIGKILL);
            ::waitpid(pid, nullptr, 0);
        }
        if (log >= 0) ::close(log);
    }

    void start(std::vector<std::string> arguments) {
        log = nameless_file();
        std::vector<char*> argv;
        for (std::string& a : arguments) argv.push_back(a.data());
        argv.push_back(nullptr);
        pid = ::fork();
        if (pid < 0) throw std::runtime_error("fork failed");
        if (pid == 0) {
            // Its own group, so that a wrapper's children end with it; and no longer than we live.
            ::setpgid(0, 0);
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::dup2(log, STDOUT_FILENO);
            ::dup2(log, STDERR_FILENO);
            ::execv(argv[0], argv.data());
            ::_exit(127);
        }
        ::setpgid(pid, pid);
        constexpr std::string_view marker = "Listening on ";
        for (int i = 0; i < 1000; ++i) {
            const std::string text = contents(log);
            const std::size_t at = text.find(marker);
            if (at != std::string::npos && text.find('\n', at) != std::string::npos) {
                const std::size_t begin = at + marker.size();
                url = "http://" + text.substr(begin, text.find_first_of(" \r\n", begin) - begin);
                return;
            }
            if (::waitpid(pid, nullptr, WNOHANG) == pid) {
                pid = -1;
                throw std::runtime_error("anvil ended at once: " + text);
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
        throw std::runtime_error("anvil did not start: " + contents(log));
    }

    json post(const json& body) {
        const std::string text = body.dump();
        std::string response;
        CURL* c = curl.get();
        curl_easy_setopt(c, CURLOPT_URL, url.c_str());
        curl_easy_setopt(c, CURLOPT_NOPROXY, "*");
        curl_easy_setopt(c, CURLOPT_HTTPHEADER, headers.get());
        curl_easy_setopt(c, CURLOPT_POSTFIELDS, text.c_str());
        curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(text.size()));
        curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, &append_response);
        curl_easy_setopt(c, CURLOPT_WRITEDATA, &response);
        curl_easy_setopt(c, CURLOPT_TIMEOUT, 120L);
        const CURLcode code = curl_easy_perform(c);
        if (code != CURLE_OK) throw std::runtime_error(std::string("anvil: ") + curl_easy_strerror(code));
        return json::parse(response);
    }
};

Anvil::Anvil(const std::vector<std::string>& more_arguments) : impl_(std::make_unique<Impl>()) {
    const auto path = find_anvil();
    if (!path) throw std::runtime_error("anvil not found");
    std::vector<std::string> arguments{path->string(),
                                       "--port",
                                       "0",
                                       "--hardfork",
                                       "osaka",
                                       "--base-fee",
                                       "0",
                                       "--gas-price",
                                       "0",
                                       "--gas-limit",
                                       "1000000000",
                                       "--enable-tx-gas-limit",
                                       "--chain-id",
                                       "1"};
    arguments.insert(arguments.end(), more_arguments.begin(), more_arguments.end());
    impl_->start(std::move(arguments));
}

Anvil::~Anvil() = default;

json Anvil::request(const std::string& method, const json& params) {
    json answer = impl_->post({{"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}});
    if (answer.contains("error")) throw std::runtime_error(method + ": " + answer["error"].dump());
    return std::move(answer["result"]);
}

std::vector<json> Anvil::batch(const std::vector<json>& requests) {
    json body = json::array();
    for (std::size_t i = 0; i < requests.size(); ++i) {
        json r = requests[i];
        r["jsonrpc"] = "2.0";
        r["id"] = i;
        body.push_back(std::move(r));
    }
    std::vector<json> out(requests.size());
    if (requests.empty()) return out;
    json answers = impl_->post(body);
    if (!answers.is_array() || answers.size() != requests.size()) throw std::runtime_error("anvil: bad batch answer");
    for (json& a : answers) {
        const auto id = a.at("id").get<std::size_t>();
        out.at(id) = std::move(a);
    }
    return out;
}

void Anvil::set_code(const evm::Address& a, ByteView code) { request("anvil_setCode", {to_hex_0x(a), to_hex_0x(code)}); }
void Anvil::set_balance(const evm::Address& a, const evm::Word& wei) { request("anvil_setBalance", {to_hex_0x(a), to_hex_0x(wei)}); }
void Anvil::set_storage(const evm::Address& a, const evm::Word& key, const evm::Word& value) {
    request("anvil_setStorageAt", {to_hex_0x(a), to_hex_0x(key), to_hex_0x(value)});
}
void Anvil::set_nonce(const evm::Address& a, std::uint64_t nonce) { request("anvil_setNonce", {to_hex_0x(a), quantity(nonce)}); }

AnvilCall Anvil::call(const evm::Address& from, const evm::Address& to, ByteView data, std::uint64_t gas_limit) {
    const json answer = request(
        "debug_traceCall",
        {{{"from", to_hex_0x(from)}, {"to", to_hex_0x(to)}, {"data", to_hex_0x(data)}, {"gas", quantity(gas_limit)}, {"gasPrice", "0x0"}},
         "latest",
         {{"tracer", "callTracer"}, {"tracerConfig", {{"onlyTopCall", true}}}}});
    AnvilCall out;
    out.error = answer.value("error", "");
    out.success = out.error.empty();
    if (answer.contains("output")) out.output = *from_hex(answer["output"].get<std::string>());
    evm::Transaction tx;
    tx.from = from;
    tx.to = to;
    tx.data.assign(data.begin(), data.end());
    out.gas_used = std::stoull(answer.at("gasUsed").get<std::string>(), nullptr, 16);
    out.exec_gas = out.gas_used - evm::intrinsic_gas(evm::Fork::osaka, tx).intrinsic;
    return out;
}

json Anvil::send(const evm::Address& from, const std::optional<evm::Address>& to, ByteView data, std::uint64_t gas_limit,
                 const evm::AccessList& access_list) {
    request("anvil_impersonateAccount", {to_hex_0x(from)});
    json tx{{"from", to_hex_0x(from)}, {"data", to_hex_0x(data)}, {"gas", quantity(gas_limit)}, {"gasPrice", "0x0"}};
    if (to) tx["to"] = to_hex_0x(*to);
    for (const auto& entry : access_list) {
        json keys = json::array();
        for (const auto& key : entry.storage_keys) keys.push_back(to_hex_0x(key));
        tx["accessList"].push_back({{"address", to_hex_0x(entry.address)}, {"storageKeys", keys}});
    }
    const json hash = request("eth_sendTransaction", json::array({tx}));
    for (int i = 0; i < 1000; ++i) {
        json receipt = request("eth_getTransactionReceipt", json::array({hash}));
        if (!receipt.is_null()) return receipt;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    throw std::runtime_error("anvil: no receipt");
}

}  // namespace postern::test
