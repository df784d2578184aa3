#pragma once

// One implementation of one scheme behind the three operations that are compared.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace postern::bench {

using Bytes = std::vector<std::uint8_t>;

/// Keys travel in the standard encodings ("wire"), as an ordinary caller has them. Failures throw.
class Contender {
  public:
    virtual ~Contender() = default;
    /// Makes a key pair and forgets it.
    virtual void keygen() = 0;
    /// Signs with a key made when the contender was.
    virtual void sign(std::span<const std::uint8_t> message) = 0;
    /// Checks the signature of the last sign().
    virtual void verify(std::span<const std::uint8_t> message) = 0;
};

/// A shared object; a peer that is not there gives no contenders.
class SharedObject {
  public:
    explicit SharedObject(const std::string& path);
    bool present() const { return handle_ != nullptr; }
    /// Throws if there is no such symbol.
    void* symbol(const char* name) const;
    template <class Function>
    Function* function(const char* name) const {
        return reinterpret_cast<Function*>(symbol(name));
    }

  private:
    void* handle_ = nullptr;
    std::string path_;
};

// Null where the implementation does not have the scheme.
std::unique_ptr<Contender> make_postern(const std::string& scheme);
std::unique_ptr<Contender> make_liboqs(const SharedObject& library, const std::string& scheme);
std::unique_ptr<Contender> make_c_fn_dsa(const SharedObject& library, const std::string& scheme);
std::unique_ptr<Contender> make_boringssl(const SharedObject& library, const std::string& scheme);

}  // namespace postern::bench
