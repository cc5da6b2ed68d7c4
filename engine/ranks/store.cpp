// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/store.h"

#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/ranks/accepts.h"

#include <c10/util/Logging.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <cstdlib>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

namespace binade::ranks {

namespace {

/// Only fatal errors are logged.
constexpr int kNoLog = 3;

/// Whether the user wants LibTorch's log.
bool log_is_wanted() {
  return std::getenv("TORCH_CPP_LOG_LEVEL") != nullptr;
}

/// Turns LibTorch's log off while it lives. c10d logs a stack trace for each attempt to connect; Store reports the
/// reason of the last one.
class WithoutLog {
 public:
  WithoutLog() {
    if (!log_is_wanted()) FLAGS_caffe2_log_level = kNoLog;
  }
  ~WithoutLog() { FLAGS_caffe2_log_level = before_; }
  WithoutLog(const WithoutLog&) = delete;
  WithoutLog& operator=(const WithoutLog&) = delete;

 private:
  int before_ = FLAGS_caffe2_log_level;
};

std::string address_of(const Place& place) {
  return place.address + ":" + std::to_string(place.port);
}

[[noreturn]] void refuse_port(const Place& place) {
  throw Error(ErrorCode::kBadRun,
              "Port " + std::to_string(place.port) +
                  " is in use, so the ranks' store, by which they find each other, cannot be hosted there",
              "Choose a free port with MASTER_PORT; `binade-engine launch` finds one itself.");
}

/// Connects on a thread of its own: another program, such as a web server, may accept the connection and never answer,
/// and TCPStore itself waits for it without limit.
c10::intrusive_ptr<c10d::TCPStore> connected(const std::string& address, const c10d::TCPStoreOptions& options) {
  auto promise = std::make_shared<std::promise<c10::intrusive_ptr<c10d::TCPStore>>>();
  auto result = promise->get_future();
  std::thread([promise, address, options] {
    try {
      promise->set_value(c10::make_intrusive<c10d::TCPStore>(address, options));
    } catch (...) {
      promise->set_exception(std::current_exception());
    }
  }).detach();
  constexpr std::chrono::seconds kMore{
      1};  // TCPStore ends its own attempts after the time-out, some only seconds later
  if (result.wait_for(options.timeout + kMore) == std::future_status::ready) return result.get();
  throw std::runtime_error(accepts(address, options.port)
                               ? "something accepts the connection, and does not answer as a ranks' store does"
                               : "nothing accepts the connection");
}

}  // namespace

struct Store::Connection {
  c10::intrusive_ptr<c10d::TCPStore> store;
};

Store::Store(Place place, std::chrono::milliseconds timeout, bool hosts) : place_(std::move(place)), timeout_(timeout) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place_.port);
  options.isServer = hosts;
  options.waitWorkers = false;
  options.timeout = timeout;
  const WithoutLog quiet;
  try {
    connection_ = std::make_shared<Connection>(Connection{
        hosts ? c10::make_intrusive<c10d::TCPStore>(place_.address, options) : connected(place_.address, options)});
  } catch (const std::exception& error) {
    const std::string why = graph::reason_of(error);
    if (why.find("EADDRINUSE") != std::string::npos) refuse_port(place_);
    if (hosts) {
      throw Error(ErrorCode::kBadRun, "The ranks' store cannot be hosted on " + address_of(place_) + ": " + why,
                  "MASTER_ADDR must name this computer, and MASTER_PORT a free port.");
    }
    const std::string host = place_.hosted ? "the program that starts the ranks" : "rank 0";
    throw Error(ErrorCode::kBadRun,
                "Rank " + std::to_string(place_.rank) + ": no ranks' store answers at " + address_of(place_) +
                    ", where " + host + " hosts it: " + why,
                "Check that " + host +
                    " runs, that MASTER_ADDR and MASTER_PORT are the same on all ranks, and that "
                    "no other program has the port.");
  }
  place_.port = connection_->store->getPort();
}

Store Store::join(const Place& place, std::chrono::milliseconds timeout) {
  // Also later: once the host has ended, c10d logs a stack trace for every call. Rank 0 logs what concerns all ranks.
  if (place.rank != 0 && !log_is_wanted()) FLAGS_caffe2_log_level = kNoLog;
  if (log_is_wanted()) c10::initLogging();  // reads the variable, which PyTorch does in Python only
  return {place, timeout, !place.hosted && place.rank == 0};
}

Store Store::host(const std::string& address, int port) {
  Place place;
  place.address = address;
  place.port = port;
  constexpr std::chrono::seconds kTimeout{30};
  return {place, kTimeout, true};
}

Store Store::connect_again() const {
  return {place_, timeout_, false};
}

Store Store::of_restart(int restart) const {
  Store store = *this;
  store.place_.restart = restart;
  return store;
}

int Store::port() const {
  return place_.port;
}

std::string Store::full(const std::string& key) const {
  // A restart must not see what the ranks before it left.
  return "binade/" + std::to_string(place_.restart) + "/" + key;
}

template <class Action>
auto Store::checked(Action action) const {
  try {
    return action();
  } catch (const std::exception& error) {
    const std::string host = place_.hosted ? "the program that started the ranks" : "rank 0";
    throw Error(
        ErrorCode::kBadRun,
        "The ranks' store at " + address_of(place_) + " does not answer, so " + host +
            ", which hosts it, has ended: " + graph::reason_of(error),
        "Its own output has the reason. If the run has a checkpoint, resume from it; otherwise start it again.");
  }
}

void Store::set(const std::string& key, const std::string& value) {
  checked([&] { connection_->store->set(full(key), std::vector<std::uint8_t>(value.begin(), value.end())); });
}

std::optional<std::string> Store::get(const std::string& key) {
  return checked([&]() -> std::optional<std::string> {
    if (!connection_->store->check({full(key)})) return std::nullopt;
    const std::vector<std::uint8_t> value = connection_->store->get(full(key));
    return std::string(value.begin(), value.end());
  });
}

std::vector<std::string> Store::get_all(const std::vector<std::string>& keys) {
  std::vector<std::string> complete;
  for (const std::string& key : keys) complete.push_back(full(key));
  return checked([&] {
    std::vector<std::string> values;
    for (const std::vector<std::uint8_t>& value : connection_->store->multiGet(complete)) {
      values.emplace_back(value.begin(), value.end());
    }
    return values;
  });
}

c10::intrusive_ptr<c10d::Store> Store::for_groups() const {
  return c10::make_intrusive<c10d::PrefixStore>(full("group"), connection_->store);
}

}  // namespace binade::ranks
