// The peers are reached through their published C interfaces by name, so that this compiles without them.

#include <dlfcn.h>

#include <postern/falcon_scheme.hpp>
#include <postern/mldsa.hpp>
#include <stdexcept>

#include "contender.hpp"

namespace postern::bench {

namespace {

void require(bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
}

struct Sizes {
    std::size_t public_key, private_key, signature;
};
Sizes sizes_of(const std::string& scheme) {
    if (const auto* s = mldsa::find_scheme(scheme)) return {s->public_key_bytes, s->private_key_bytes, s->signature_bytes};
    if (const auto* s = falcon::find_scheme(scheme)) return {s->public_key_bytes, s->private_key_bytes, s->signature_bytes};
    throw std::invalid_argument("unknown scheme " + scheme);
}

// ---------------------------------------------------------------------------------------------- Postern

class PosternMlDsa final : public Contender {
  public:
    explicit PosternMlDsa(const mldsa::Scheme& scheme) : scheme_(scheme), pair_(mldsa::generate(scheme)) {}
    void keygen() override { (void)mldsa::generate(scheme_); }
    void sign(std::span<const std::uint8_t> message) override { signature_ = mldsa::sign(pair_.private_key, mldsa::Message(message)); }
    void verify(std::span<const std::uint8_t> message) override {
        require(mldsa::verify(pair_.public_key, mldsa::Message(message), mldsa::SignatureView(signature_)).valid, "postern: verify");
    }

  private:
    const mldsa::Scheme& scheme_;
    mldsa::KeyPair pair_;
    Bytes signature_;
};

class PosternFalcon final : public Contender {
  public:
    explicit PosternFalcon(const falcon::Scheme& scheme) : scheme_(scheme), pair_(falcon::generate(scheme)) {}
    void keygen() override { (void)falcon::generate(scheme_); }
    void sign(std::span<const std::uint8_t> message) override {
        auto signature = falcon::sign(scheme_, pair_.private_key, message, scheme_.codec);
        require(signature.has_value(), "postern: sign");
        signature_ = *std::move(signature);
    }
    void verify(std::span<const std::uint8_t> message) override {
        const auto verdict = falcon::verify(scheme_, pair_.public_key, message, signature_, scheme_.codec);
        require(verdict && verdict->valid, "postern: verify");
    }

  private:
    const falcon::Scheme& scheme_;
    falcon::EncodedKeyPair pair_;
    Bytes signature_;
};

// ---------------------------------------------------------------------------------------------- liboqs

class Liboqs final : public Contender {
  public:
    Liboqs(const SharedObject& library, const char* name, const Sizes& sizes)
        : handle_(library.function<void*(const char*)>("OQS_SIG_new")(name)),
          keypair_(library.function<int(void*, std::uint8_t*, std::uint8_t*)>("OQS_SIG_keypair")),
          sign_(library.function<SignFunction>("OQS_SIG_sign")),
          verify_(library.function<VerifyFunction>("OQS_SIG_verify")),
          public_key_(sizes.public_key),
          private_key_(sizes.private_key),
          signature_(sizes.signature) {
        require(handle_ != nullptr, "liboqs: the scheme is not built in");
        require(keypair_(handle_, public_key_.data(), private_key_.data()) == 0, "liboqs: keygen");
    }
    void keygen() override {
        Bytes pk(public_key_.size());
        Bytes sk(private_key_.size());
        require(keypair_(handle_, pk.data(), sk.data()) == 0, "liboqs: keygen");
    }
    void sign(std::span<const std::uint8_t> message) override {
        std::size_t length = signature_.size();
        require(sign_(handle_, signature_.data(), &length, message.data(), message.size(), private_key_.data()) == 0, "liboqs: sign");
        require(length == signature_.size(), "liboqs: length of the signature");
    }
    void verify(std::span<const std::uint8_t> message) override {
        require(verify_(handle_, message.data(), message.size(), signature_.data(), signature_.size(), public_key_.data()) == 0,
                "liboqs: verify");
    }

  private:
    using SignFunction = int(void*, std::uint8_t*, std::size_t*, const std::uint8_t*, std::size_t, const std::uint8_t*);
    using VerifyFunction = int(void*, const std::uint8_t*, std::size_t, const std::uint8_t*, std::size_t, const std::uint8_t*);
    void* handle_;
    int (*keypair_)(void*, std::uint8_t*, std::uint8_t*);
    SignFunction* sign_;
    VerifyFunction* verify_;
    Bytes public_key_, private_key_, signature_;
};

// ---------------------------------------------------------------------------------------------- c-fn-dsa

class CFnDsa final : public Contender {
  public:
    CFnDsa(const SharedObject& library, unsigned logn, const Sizes& sizes)
        : logn_(logn),
          keygen_(library.function<int(unsigned, void*, void*)>("fndsa_keygen")),
          sign_(library.function<SignFunction>("fndsa_sign")),
          verify_(library.function<VerifyFunction>("fndsa_verify")),
          public_key_(sizes.public_key),
          private_key_(sizes.private_key),
          signature_(sizes.signature) {
        require(keygen_(logn_, private_key_.data(), public_key_.data()) == 1, "c-fn-dsa: keygen");
    }
    void keygen() override {
        Bytes pk(public_key_.size());
        Bytes sk(private_key_.size());
        require(keygen_(logn_, sk.data(), pk.data()) == 1, "c-fn-dsa: keygen");
    }
    void sign(std::span<const std::uint8_t> message) override {
        require(sign_(private_key_.data(), private_key_.size(), nullptr, 0, "", message.data(), message.size(), signature_.data(),
                      signature_.size()) == signature_.size(),
                "c-fn-dsa: sign");
    }
    void verify(std::span<const std::uint8_t> message) override {
        require(verify_(signature_.data(), signature_.size(), public_key_.data(), public_key_.size(), nullptr, 0, "", message.data(),
                        message.size()) == 1,
                "c-fn-dsa: verify");
    }

  private:
    using SignFunction = std::size_t(const void*, std::size_t, const void*, std::size_t, const char*, const void*, std::size_t, void*,
                                     std::size_t);
    using VerifyFunction = int(const void*, std::size_t, const void*, std::size_t, const void*, std::size_t, const char*, const void*,
                               std::size_t);
    unsigned logn_;
    int (*keygen_)(unsigned, void*, void*);
    SignFunction* sign_;
    VerifyFunction* verify_;
    Bytes public_key_, private_key_, signature_;
};

// ---------------------------------------------------------------------------------------------- BoringSSL

class BoringSsl final : public Contender {
  public:
    BoringSsl(const SharedObject& library, const std::string& prefix, const Sizes& sizes)
        : generate_(library.function<GenerateFunction>((prefix + "_generate_key").c_str())),
          from_seed_(library.function<int(void*, const std::uint8_t*, std::size_t)>((prefix + "_private_key_from_seed").c_str())),
          sign_(library.function<SignFunction>((prefix + "_sign").c_str())),
          parse_(library.function<int(void*, Input*)>((prefix + "_parse_public_key").c_str())),
          verify_(library.function<VerifyFunction>((prefix + "_verify").c_str())),
          public_key_(sizes.public_key),
          seed_(32),
          signature_(sizes.signature) {
        require(generate_(public_key_.data(), seed_.data(), object_) == 1, "boringssl: keygen");
    }
    void keygen() override {
        Bytes pk(public_key_.size());
        Bytes seed(seed_.size());
        require(generate_(pk.data(), seed.data(), object_) == 1, "boringssl: keygen");
    }
    void sign(std::span<const std::uint8_t> message) override {
        require(from_seed_(object_, seed_.data(), seed_.size()) == 1, "boringssl: private key");
        require(sign_(signature_.data(), object_, message.data(), message.size(), nullptr, 0) == 1, "boringssl: sign");
    }
    void verify(std::span<const std::uint8_t> message) override {
        Input input{public_key_.data(), public_key_.size()};
        require(parse_(object_, &input) == 1, "boringssl: public key");
        require(verify_(object_, signature_.data(), signature_.size(), message.data(), message.size(), nullptr, 0) == 1,
                "boringssl: verify");
    }

  private:
    struct Input {
        const std::uint8_t* data;
        std::size_t size;
    };
    using GenerateFunction = int(std::uint8_t*, std::uint8_t*, void*);
    using SignFunction = int(std::uint8_t*, const void*, const std::uint8_t*, std::size_t, const std::uint8_t*, std::size_t);
    using VerifyFunction = int(const void*, const std::uint8_t*, std::size_t, const std::uint8_t*, std::size_t, const std::uint8_t*,
                               std::size_t);
    GenerateFunction* generate_;
    int (*from_seed_)(void*, const std::uint8_t*, std::size_t);
    SignFunction* sign_;
    int (*parse_)(void*, Input*);
    VerifyFunction* verify_;
    Bytes public_key_, seed_, signature_;
    alignas(64) std::uint8_t object_[65536];  // its key structures are smaller
};

}  // namespace

SharedObject::SharedObject(const std::string& path) : handle_(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)), path_(path) {}

void* SharedObject::symbol(const char* name) const {
    void* found = dlsym(handle_, name);
    if (found == nullptr) throw std::runtime_error(path_ + " has no " + name);
    return found;
}

std::unique_ptr<Contender> make_postern(const std::string& scheme) {
    if (const auto* s = mldsa::find_scheme(scheme)) return std::make_unique<PosternMlDsa>(*s);
    if (const auto* s = falcon::find_scheme(scheme)) return std::make_unique<PosternFalcon>(*s);
    return nullptr;
}

std::unique_ptr<Contender> make_liboqs(const SharedObject& library, const std::string& scheme) {
    for (const auto& [ours, theirs] :
         {std::pair{"falcon-512", "Falcon-padded-512"}, std::pair{"falcon-1024", "Falcon-padded-1024"}, std::pair{"ml-dsa-44", "ML-DSA-44"},
          std::pair{"ml-dsa-65", "ML-DSA-65"}, std::pair{"ml-dsa-87", "ML-DSA-87"}})
        if (scheme == ours) return std::make_unique<Liboqs>(library, theirs, sizes_of(scheme));
    return nullptr;
}

std::unique_ptr<Contender> make_c_fn_dsa(const SharedObject& library, const std::string& scheme) {
    if (scheme == "falcon-512") return std::make_unique<CFnDsa>(library, 9, sizes_of(scheme));
    if (scheme == "falcon-1024") return std::make_unique<CFnDsa>(library, 10, sizes_of(scheme));
    return nullptr;
}

std::unique_ptr<Contender> make_boringssl(const SharedObject& library, const std::string& scheme) {
    for (const auto& [ours, prefix] :
         {std::pair{"ml-dsa-44", "MLDSA44"}, std::pair{"ml-dsa-65", "MLDSA65"}, std::pair{"ml-dsa-87", "MLDSA87"}})
        if (scheme == ours) return std::make_unique<BoringSsl>(library, prefix, sizes_of(scheme));
    return nullptr;
}

}  // namespace postern::bench
