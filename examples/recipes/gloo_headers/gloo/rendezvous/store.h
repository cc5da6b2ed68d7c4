// SPDX-License-Identifier: Apache-2.0
//
// See algorithm.h. The virtual functions stand in the order of gloo's own.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#define GLOO_STORE_HAS_STORE_V2 1

namespace gloo {

struct IStore {
  virtual ~IStore();
  virtual void set(const std::string&, const std::vector<char>&) = 0;
  virtual std::vector<char> get(const std::string&) = 0;
  virtual void wait(const std::vector<std::string>&) = 0;
  virtual void wait(const std::vector<std::string>&, const std::chrono::milliseconds&) = 0;
};

namespace rendezvous {

class Store : public IStore {
 public:
  virtual bool has_v2_support();
  virtual std::vector<std::vector<char>> multi_get(const std::vector<std::string>&);
  virtual void multi_set(const std::vector<std::string>&, const std::vector<std::vector<char>>&);
  virtual void append(const std::string&, const std::vector<char>&);
  virtual std::int64_t add(const std::string&, std::int64_t);
};

}  // namespace rendezvous
}  // namespace gloo
