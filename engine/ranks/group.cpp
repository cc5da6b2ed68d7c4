// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/group.h"

#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/ranks/absence.h"
#include "engine/ranks/connect_gloo.h"
#include "engine/ranks/heartbeat.h"
#include "engine/ranks/nccl_sums.h"
#include "engine/ranks/store.h"

#include <nlohmann/json.hpp>
#include <unistd.h>

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <future>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>

namespace binade::ranks {

namespace {

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr milliseconds kLongestBeat{2000};
constexpr milliseconds kLongestLook{1000};
/// Key of the store for a rank that could not connect by NCCL: the others need not wait for it.
constexpr const char* kNcclFailed = "nccl-failed";

std::string own_host() {
  std::array<char, 256> name{};
  return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "?";
}

at::Tensor bytes_of(const std::string& bytes) {
  at::Tensor tensor = at::empty({static_cast<std::int64_t>(bytes.size())}, at::kByte);
  std::memcpy(tensor.mutable_data_ptr(), bytes.data(), bytes.size());
  return tensor;
}

std::string text_of(const at::Tensor& bytes) {
  return {static_cast<const char*>(bytes.const_data_ptr()), static_cast<std::size_t>(bytes.numel())};
}

}  // namespace

struct Group::Sum::Impl {
  c10::intrusive_ptr<c10d::Work> work;  ///< of Gloo
  std::optional<NcclSums::Sum> nccl;    ///< else
  std::uint64_t position = 0;
};

Group::Sum::Sum() = default;
Group::Sum::~Sum() = default;
Group::Sum::Sum(Sum&&) noexcept = default;
Group::Sum& Group::Sum::operator=(Sum&&) noexcept = default;

struct Group::Impl {
  Place place;
  milliseconds timeout;
  Store store;
  std::vector<std::string> hosts;
  std::optional<Heartbeat> heart;
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;
  GradientsOver wanted = GradientsOver::kAuto;
  std::unique_ptr<NcclSums> nccl;  ///< null: Gloo sums tensors on GPUs too
  std::uint64_t beside = 0;
  bool broken = false;
  bool store_is_silent = false;

  milliseconds interval() const { return std::clamp(timeout / 8, milliseconds(50), kLongestBeat); }
  Absence absence() { return {store, place, hosts, timeout, interval()}; }

  /// Runs what asks the store, whose answer a process that is stopped never gives. Throws Error after the time-out.
  template <class Action>
  auto answered(Action action) {
    using Result = decltype(action());
    auto promise = std::make_shared<std::promise<Result>>();
    std::future<Result> result = promise->get_future();
    std::thread([promise, action] {
      try {
        if constexpr (std::is_void_v<Result>) {
          action();
          promise->set_value();
        } else {
          promise->set_value(action());
        }
      } catch (...) {
        promise->set_exception(std::current_exception());
      }
    }).detach();
    if (result.wait_for(timeout + kLongestLook) == std::future_status::ready) return result.get();
    store_is_silent = true;
    broken = true;
    const std::string host = place.hosted ? "The program that started the ranks" : name_of(0, hosts);
    throw Error(ErrorCode::kBadRun,
                host +
                    " is missing: it hosts the ranks' store, which does not answer, so the process is stopped or its "
                    "computer is out of reach",
                "If the run has a checkpoint, resume from it.");
  }

  /// Tells the others that this rank ends because of another.
  void mark_left() noexcept {
    broken = true;
    if (store_is_silent) return;
    try {
      answered([this] { store.set(left_key(place.rank), "1"); });
    } catch (const std::exception&) {
      store_is_silent = true;  // nobody can be told
    }
  }

  /// Waits for an operation that was given number `position`. `is_done`, given a time, waits at most so long for it.
  /// Throws the Error of the ranks that are missing.
  template <class IsDone>
  void wait_until(IsDone is_done, std::uint64_t position) {
    const milliseconds slice = std::min(timeout / 4 + milliseconds(1), kLongestLook);
    const auto start = Clock::now();
    std::shared_ptr<Absence> absence;
    try {
      while (!is_done(slice)) {
        if (!absence) absence = std::make_shared<Absence>(this->absence());
        const auto waited = std::chrono::duration_cast<milliseconds>(Clock::now() - start);
        answered([absence, waited, position] { absence->check(waited, position); });
      }
    } catch (const Error&) {
      mark_left();
      // A sum that waits for a rank which is gone keeps the GPU busy, which may have a checkpoint to give.
      if (nccl) nccl->abort();
      throw;
    }
  }

  void wait(c10d::Work& work, std::uint64_t position) {
    wait_until(
        [&](milliseconds slice) {
          try {
            work.wait(slice);
            return true;
          } catch (const std::exception& error) {
            if (!work.isCompleted()) return false;
            if (work.isSuccess()) return true;  // just now
            throw absence().of_broken(graph::reason_of(error));
          }
        },
        position);
  }

  /// Runs what sums by NCCL, as operation number `position`. Throws as wait().
  template <class Action>
  auto by_nccl(std::uint64_t position, Action action) {
    try {
      return action([this, position](const std::function<bool()>& done) {
        wait_until([&](milliseconds slice) { return ask(done, slice); }, position);
      });
    } catch (const NcclFailure& failure) {
      const std::optional<Error> ended = absence().of_ended();
      if (ended) mark_left();  // otherwise this rank is the first to know, and its failure tells the others
      nccl->abort();
      throw Error(ended ? *ended : Absence::of_failed_nccl(failure.what()));
    }
  }

  /// Asks for at most so long; at first at once again, since most sums are short.
  static bool ask(const std::function<bool()>& done, milliseconds longest) {
    constexpr std::chrono::microseconds kShort{500}, kPause{100};
    const auto start = Clock::now();
    while (!done()) {
      const auto waited = Clock::now() - start;
      if (waited >= longest) return false;
      if (waited < kShort) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(kPause);
      }
    }
    return true;
  }

  /// Waits as by_nccl() while the ranks connect, but not for a rank that could not, and not beyond the time-out:
  /// throws NcclFailure then.
  NcclSums::Wait while_connecting(std::uint64_t position) {
    return [this, position, until = Clock::now() + timeout](const std::function<bool()>& done) {
      wait_until(
          [&](milliseconds slice) {
            if (ask(done, slice)) return true;
            if (answered([this] { return store.get(kNcclFailed).has_value(); })) throw NcclFailure("");
            if (Clock::now() < until) return false;
            throw NcclFailure("it has not connected the ranks within " + absence().seconds());
          },
          position);
    };
  }

  void run(c10::intrusive_ptr<c10d::Work> work) { wait(*work, heart->reached()); }

  /// Waits until every other rank has ended or said so, at most `patience`. Rank 0 then hosts the store no longer.
  void wait_for_others(milliseconds patience) {
    const auto until = Clock::now() + patience;
    for (int rank = 1; rank < place.ranks; ++rank) {
      const std::string other = "/" + std::to_string(rank);
      while (!store.get("done" + other) && !store.get(left_key(rank)) && !store.get("failed" + other)) {
        if (Clock::now() >= until) return;
        std::this_thread::sleep_for(milliseconds(20));
      }
    }
  }

  /// Waits for a key of every rank. Throws the Error of the ranks without.
  std::vector<std::string> of_all(const std::string& key, const std::string& what) {
    std::vector<std::string> all;
    const auto until = Clock::now() + timeout;
    for (int rank = 0; rank < place.ranks; ++rank) {
      const std::string own = key + "/" + std::to_string(rank);
      std::optional<std::string> value;
      const auto waits = [&] { return Clock::now() < until && !store.get(kFailedRank); };
      while (!(value = store.get(own)) && waits()) std::this_thread::sleep_for(milliseconds(10));
      if (!value) throw absence().of_missing(key, what);
      all.push_back(std::move(*value));
    }
    return all;
  }
};

Group::Group(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

std::unique_ptr<Group> Group::join(const Place& place, milliseconds timeout, GradientsOver wanted) {
  // Gloo writes to the connections of ranks that have ended, which would end this one without a word.
  std::signal(SIGPIPE, SIG_IGN);
  Store store = Store::join(place, timeout);
  std::unique_ptr<Impl> impl(new Impl{.place = place,
                                      .timeout = timeout,
                                      .store = store,
                                      .hosts = std::vector<std::string>(static_cast<std::size_t>(place.ranks)),
                                      .heart = std::nullopt,
                                      .gloo = {},
                                      .wanted = wanted,
                                      .nccl = {}});
  impl->heart.emplace(store.connect_again(), place.rank, impl->interval());
  impl->store.set("host/" + std::to_string(place.rank), own_host());
  impl->hosts = impl->of_all("host", "started");
  try {
    impl->gloo = connect_gloo(store, place, timeout);
  } catch (const std::exception& error) {
    throw impl->absence().of_broken(graph::reason_of(error));
  }
  return std::unique_ptr<Group>(new Group(std::move(impl)));
}

Group::~Group() {
  // A thread still waits for the store's answer.
  if (impl_->store_is_silent) {
    static_cast<void>(impl_.release());
    return;
  }
  // An operation that waits for a rank which is gone never ends, and Gloo's destructor would wait for it.
  if (impl_->broken) static_cast<void>(impl_->gloo.release());
}

int Group::rank() const {
  return impl_->place.rank;
}

int Group::size() const {
  return impl_->place.ranks;
}

const Place& Group::place() const {
  return impl_->place;
}

const std::string& Group::host(int rank) const {
  return impl_->hosts[static_cast<std::size_t>(rank)];
}

std::string Group::name(int rank) const {
  return name_of(rank, impl_->hosts);
}

std::string Group::choose_backend(c10::Device device, const NcclAbility& own) {
  using nlohmann::json;
  std::vector<NcclAbility> abilities;
  std::vector<std::string> names;
  for (const std::string& text : gather(json{own.lacks, own.version, own.gpu}.dump())) {
    const json of = json::parse(text);
    names.push_back(name(static_cast<int>(abilities.size())));
    abilities.push_back({of[0].get<std::string>(), of[1].get<int>(), of[2].get<std::string>()});
  }
  json all;
  if (rank() == 0) {
    const BackendChoice chosen = ranks::choose_backend(impl_->wanted, abilities, names);
    all = {chosen.nccl, chosen.why, impl_->wanted == GradientsOver::kNccl};
  }
  all = json::parse(broadcast(all.dump()));
  std::string why = all[1].get<std::string>();
  if (all[0].get<bool>()) why = connect_by_nccl(device);
  if (impl_->nccl) return "Gradients are summed by NCCL " + nccl_version_text(own.version) + ".";
  if (all[2].get<bool>()) {
    throw Error(
        ErrorCode::kBadRun, "Gradients cannot be summed by NCCL, because " + why,
        "Give every rank a GPU of its own and the NCCL that LibTorch needs, or leave out --gradients-over nccl: "
        "Gloo then sums them.");
  }
  if (device.is_cpu()) return {};
  return "Gradients are summed by Gloo" + (why.empty() ? std::string() : " and not by NCCL, because " + why) + ".";
}

std::string Group::connect_by_nccl(c10::Device device) {
  const auto functions = loaded_nccl();
  std::string failure = functions ? "" : "it is not loaded";
  std::string id;
  try {
    if (rank() == 0 && functions) id = NcclSums::make_id(*functions);
  } catch (const NcclFailure& error) {
    failure = error.what();
  }
  id = broadcast(id);
  const std::uint64_t position = impl_->heart->reached();
  try {
    if (id.empty() || !functions) throw NcclFailure(failure);
    const NcclSums::Wait wait = impl_->while_connecting(position);
    auto nccl = std::make_unique<NcclSums>(*functions, id, rank(), size(), device, wait);
    // Shows whether data between the GPUs arrives, which some computers lose without a word.
    const at::Tensor one = at::ones({1}, at::TensorOptions(device).dtype(at::kFloat));
    nccl->finish(nccl->sum(one, wait), wait);
    const double sum = one.item<double>();
    if (sum != size()) {
      throw NcclFailure("it summed " + std::to_string(size()) + " ones to " + std::to_string(sum));
    }
    impl_->nccl = std::move(nccl);
  } catch (const NcclFailure& error) {
    failure = error.what();
    Impl* const impl = impl_.get();  // a thread that still waits may outlive this
    impl->answered([impl] { impl->store.set(kNcclFailed, "1"); });
  }
  std::string why;
  int of = 0;
  for (const std::string& text : gather(impl_->nccl ? "" : failure.empty() ? " " : failure)) {
    if (why.empty() && !text.empty() && text != " ") why = "on " + within_sentence(name(of)) + " NCCL failed: " + text;
    ++of;
  }
  why = broadcast(why);
  if (!why.empty()) impl_->nccl.reset();
  return why;
}

Group::Work::Work(Group* group, const std::string& what) : group_(group) {
  if (group_ == nullptr) return;
  before_ = group_->impl_->heart->work();
  group_->impl_->heart->set_work(what);
}

Group::Work::~Work() {
  if (group_ != nullptr) group_->impl_->heart->set_work(before_);
}

Group::Sum Group::sum(const at::Tensor& values) {
  Sum sum;
  sum.impl_ = std::make_unique<Sum::Impl>();
  if (impl_->nccl && impl_->nccl->takes(values)) {
    sum.impl_->position = impl_->heart->reached();
    sum.impl_->nccl =
        impl_->by_nccl(sum.impl_->position, [&](const NcclSums::Wait& wait) { return impl_->nccl->sum(values, wait); });
    return sum;
  }
  std::vector<at::Tensor> tensors{values};
  sum.impl_->work = impl_->gloo->allreduce(tensors);
  sum.impl_->position = impl_->heart->reached();
  return sum;
}

void Group::finish(Sum& sum) {
  if (sum.impl_->nccl) {
    impl_->by_nccl(sum.impl_->position,
                   [&](const NcclSums::Wait& wait) { impl_->nccl->finish(*sum.impl_->nccl, wait); });
  } else {
    impl_->wait(*sum.impl_->work, sum.impl_->position);
  }
  sum.impl_.reset();
}

void Group::largest(const at::Tensor& values) {
  std::vector<at::Tensor> tensors{values};
  c10d::AllreduceOptions options;
  options.reduceOp = c10d::ReduceOp::MAX;
  impl_->run(impl_->gloo->allreduce(tensors, options));
  impl_->beside += values.nbytes();
}

void Group::broadcast(const at::Tensor& values) {
  const at::NoGradGuard no_history;  // leaves of autograd are written to
  std::vector<at::Tensor> tensors{values.detach()};
  impl_->run(impl_->gloo->broadcast(tensors));
}

std::string Group::broadcast(const std::string& bytes) {
  at::Tensor size = at::empty({1}, at::kLong);
  auto* const count = size.mutable_data_ptr<std::int64_t>();
  *count = static_cast<std::int64_t>(bytes.size());
  broadcast(size);
  impl_->beside += sizeof(std::int64_t);
  if (*count == 0) return {};
  at::Tensor all = rank() == 0 ? bytes_of(bytes) : at::empty({*count}, at::kByte);
  broadcast(all);
  impl_->beside += static_cast<std::uint64_t>(*count);
  return text_of(all);
}

std::vector<std::vector<double>> Group::exchange(const std::vector<double>& numbers) {
  const auto count = static_cast<std::int64_t>(numbers.size());
  at::Tensor own = at::empty({count}, at::kDouble);
  std::copy(numbers.begin(), numbers.end(), own.mutable_data_ptr<double>());
  at::Tensor all = at::empty({size() * count}, at::kDouble);  // Gloo takes it apart into parts of the shape of `own`
  impl_->run(impl_->gloo->_allgather_base(all, own));
  impl_->beside += numbers.size() * sizeof(double);
  std::vector<std::vector<double>> by_rank;
  const auto* next = all.const_data_ptr<double>();
  for (int rank = 0; rank < size(); ++rank, next += count) by_rank.emplace_back(next, next + count);
  return by_rank;
}

std::vector<std::string> Group::gather(const std::string& bytes) {
  std::int64_t most = 0;
  const auto sizes = exchange({static_cast<double>(bytes.size())});
  for (const auto& size : sizes) most = std::max(most, static_cast<std::int64_t>(size.front()));
  std::vector<std::string> all;
  if (most == 0) return rank() == 0 ? std::vector<std::string>(sizes.size()) : all;
  // Gloo gathers equal sizes.
  std::string padded = bytes;
  padded.resize(static_cast<std::size_t>(most));
  std::vector<at::Tensor> own{bytes_of(padded)};
  std::vector<std::vector<at::Tensor>> outputs;
  if (rank() == 0) {
    outputs.emplace_back();
    for (int i = 0; i < size(); ++i) outputs.front().push_back(at::empty({most}, at::kByte));
  }
  impl_->run(impl_->gloo->gather(outputs, own));
  if (rank() != 0) {
    impl_->beside += static_cast<std::uint64_t>(most);
    return all;
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    all.push_back(text_of(outputs.front()[i]).substr(0, static_cast<std::size_t>(sizes[i].front())));
  }
  return all;
}

std::uint64_t Group::bytes_beside_gradients() const {
  return impl_->beside;
}

void Group::fail(const std::string& why, bool begun) noexcept {
  impl_->broken = true;
  if (impl_->store_is_silent) return;
  try {
    Impl* const impl = impl_.get();
    impl->answered([impl, why, begun] {
      const std::string own = std::to_string(impl->place.rank);
      if (impl->store.get(left_key(impl->place.rank))) return;  // because of another
      // Before the reason, so that a rank that reads the reason finds it.
      if (!begun) {
        impl->store.set(std::string(kRefusedRank) + "/" + own, "1");
        impl->store.set(kRefusedRank, own);
      }
      impl->store.set("failed/" + own, why);
      impl->store.set(kFailedRank, own);
    });
    if (impl->nccl) impl->nccl->abort();
    // The one that hosts the store stays until the others have read the reason.
    if (rank() == 0 && !impl_->place.hosted) impl_->wait_for_others(std::min(impl_->timeout, milliseconds(5000)));
  } catch (const std::exception&) {
    return;  // the store's host is gone, and nobody can be told
  }
}

void Group::leave() noexcept {
  try {
    Impl* const impl = impl_.get();
    impl->answered([impl] { impl->store.set("done/" + std::to_string(impl->place.rank), "1"); });
    if (rank() == 0 && !impl_->place.hosted) impl_->wait_for_others(impl_->timeout);
  } catch (const std::exception&) {
    impl_->broken = true;  // the run has ended well, and a rank that is gone changes nothing
  }
}

}  // namespace binade::ranks
