// SPDX-License-Identifier: Apache-2.0
#include "engine/ranks/shared_training.h"

#include "engine/batches/shuffle.h"
#include "engine/formats/error.h"
#include "engine/ranks/label_shares.h"
#include "engine/ranks/nccl.h"
#include "engine/ranks/sameness.h"
#include "engine/train/device.h"
#include "engine/wire/codec.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/cat.h>

#include <cmath>
#include <optional>
#include <set>
#include <utility>

namespace binade::ranks {

namespace {

using nlohmann::json;

/// Random numbers of ranks; the streams of data are 0 to 2.
constexpr std::uint64_t kFirstStream = 1000;
constexpr double kNormTolerance = 1e-5;  // between computers with other instruction sets

std::string packed(const json& value) {
  const std::vector<std::uint8_t> bytes = json::to_cbor(value);
  return {bytes.begin(), bytes.end()};
}

json unpacked(const std::string& bytes) {
  return json::from_cbor(bytes.begin(), bytes.end());
}

bool same_norm(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return std::isfinite(a) == std::isfinite(b);
  return std::abs(a - b) <= kNormTolerance * std::max(std::abs(a), std::abs(b));
}

/// Refuses what the hook would leave local.
void check_norms(const train::Training& training) {
  static const std::set<std::string> kOthers{"aten::_batch_norm_impl_index", "aten::native_batch_norm",
                                             "aten::_native_batch_norm_legit", "aten::cudnn_batch_norm",
                                             "aten::_native_batch_norm_legit_functional"};
  for (const graph::Site* const site : training.sites) {
    if (!kOthers.contains(site->key.op)) continue;
    throw Error(
        ErrorCode::kBadModel,
        "batch_norm is synchronised, but " + site->key.name() + " is a part of a batch norm, which can only be local",
        "Save the model with torch.nn.BatchNorm or torch.batch_norm, or set batch_norm to local.");
  }
}

}  // namespace

void seed_step(std::uint64_t seed, int rank, std::int64_t step) {
  train::seed(batches::mix(seed, kFirstStream + static_cast<std::uint64_t>(rank), static_cast<std::uint64_t>(step)));
}

SharedTraining::SharedTraining(Group& group, train::Training& training)
    : group_(group),
      training_(training),
      sums_(group, training.trainable),
      magnitudes_(group, training.autocast.products()) {
  if (training.config.batch_norm == "synchronised") {
    check_norms(training);
    norms_.emplace(group);
  }
  for (const auto& [name, buffer] : training.model.buffers()) {
    if (buffer.numel() > 0) buffers_[buffer.scalar_type()].push_back(buffer);
  }
}

SharedTraining::~SharedTraining() = default;

std::vector<wire::RankInfo> SharedTraining::check_same() {
  const auto own = contents_of(training_);
  const json of_rank_0 = unpacked(group_.broadcast(packed(json(own))));
  const Difference differs = difference(own, of_rank_0.get<Contents>());
  json about;
  about["device"] = train::describe(training_.device);
  about["what"] = differs.what;
  about["hashes"] = differs.hashes;
  about["in_files"] = differs.in_files;
  std::vector<wire::RankInfo> ranks;
  std::vector<std::pair<std::string, Difference>> found;
  for (const std::string& bytes : group_.gather(packed(about))) {
    const json other = unpacked(bytes);
    const int rank = static_cast<int>(ranks.size());
    ranks.push_back({rank, group_.host(rank), other["device"].get<std::string>()});
    found.emplace_back(group_.name(rank),
                       Difference{other["what"].get<std::string>(), other["hashes"].get<std::string>(),
                                  other["in_files"].get<bool>()});
  }
  const std::optional<Error> unlike = why_unlike(found);  // on rank 0, which has gathered
  const bool all_alike = group_.broadcast(unlike ? std::string("unlike") : std::string()).empty();
  if (unlike) throw Error(*unlike);
  if (!all_alike) {
    throw Error(ErrorCode::kBadRun, "The ranks differ in their files or settings, so none trains",
                "The message of rank 0 names the differences and the next step.");
  }
  return ranks;
}

std::string SharedTraining::choose_backend() {
  const c10::Device device = training_.device;
  return group_.choose_backend(device,
                               nccl_ability(device.is_cuda() ? std::optional<int>(device.index()) : std::nullopt));
}

void SharedTraining::begin_step(std::int64_t step) {
  began_ = std::chrono::steady_clock::now();
  step_ = step;
  facts_.clear();
  seed_step(training_.config.seed, group_.rank(), step);
  sums_.begin_step();
}

void SharedTraining::weigh(batches::Batch& batch) {
  const LabelCounts own = count_labels(training_, batch);
  if (own.empty()) return;
  std::vector<double> counts;
  for (const auto& [loss, count] : own) counts.push_back(count);
  LabelCounts whole = own;
  for (auto& [loss, count] : whole) count = 0;
  for (const auto& of_rank : group_.exchange(counts)) {
    for (std::size_t k = 0; k < whole.size(); ++k) whole[k].second += of_rank[k];
  }
  set_label_shares(training_, batch, own, whole);
}

void SharedTraining::before_last_backward() {
  // Gradients of several scalers have to be apart, and arrive one after the other on the same parameters.
  if (training_.scalers.size() == 1) sums_.start_early();
}

void SharedTraining::sum_gradients() {
  own_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  training_.scalers.with_gradients([this] { sums_.finish(); });
}

void SharedTraining::agree(Figures& figures) {
  enum Index : std::size_t {
    kStep,
    kScale,
    kRevision,
    kNorm,
    kLoss,
    kSuspect,
    kStop,
    kSeconds,
    kWaited,
    kTensor,
    kNewMagnitudes,
    kFound
  };
  std::vector<double> own(kFound);
  own[kStep] = static_cast<double>(step_);
  own[kScale] = training_.scalers.scale(0);
  own[kRevision] = training_.policy->revision;
  own[kNorm] = figures.norm;
  own[kLoss] = figures.loss;
  own[kSuspect] = figures.suspect_buffers ? 1 : 0;
  own[kStop] = stop_asked_ ? 1 : 0;
  own[kSeconds] = own_seconds_;
  own[kWaited] = sums_.waited();
  own[kTensor] = tensor_;
  own[kNewMagnitudes] = magnitudes_.has_new() ? 1 : 0;
  for (const bool found : figures.found_inf) own.push_back(found ? 1 : 0);
  const auto all = group_.exchange(own);
  const std::vector<double>& first = all.front();
  double loss = 0;
  new_magnitudes_ = false;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const std::vector<double>& of = all[rank];
    const auto check = [&](bool same, Index index, const std::string& what) {
      if (same) return;
      throw Error(ErrorCode::kBadRun,
                  group_.name(static_cast<int>(rank)) + " disagrees with rank 0 in step " + std::to_string(step_) +
                      ": " + what + " is " + std::to_string(of[index]) + ", not " + std::to_string(first[index]),
                  "Its parameters are no longer those of rank 0. If the run has a checkpoint, resume from it.");
    };
    check(of[kStep] == first[kStep], kStep, "the step");
    check(of[kScale] == first[kScale], kScale, "the loss scale");
    check(of[kRevision] == first[kRevision], kRevision, "the revision of the policy");
    check(same_norm(of[kNorm], first[kNorm]), kNorm, "the gradient norm");
    loss += of[kLoss];
    new_magnitudes_ = new_magnitudes_ || of[kNewMagnitudes] != 0;
    figures.suspect_buffers = figures.suspect_buffers || of[kSuspect] != 0;
    for (std::size_t i = 0; i < figures.found_inf.size(); ++i) {
      if (of[kFound + i] != 0) figures.found_inf[i] = true;
    }
    if (of[kStop] != 0 && on_stop_) on_stop_();
    wire::RankFacts facts;
    facts.rank = static_cast<int>(rank);
    facts.seconds = of[kSeconds];
    facts.waited = of[kWaited];
    facts.tensor = of[kTensor];
    facts_.push_back(std::move(facts));
  }
  figures.loss = loss;
  figures.norm = first[kNorm];
}

int SharedTraining::blame(bool own_loss_is_finite, const std::vector<std::int64_t>& rows) {
  const bool own = !own_loss_is_finite || !sums_.own_are_finite();
  const auto all = group_.exchange({own ? 1.0 : 0.0});
  const auto by_rank = group_.gather(own ? packed(json(rows)) : std::string());
  int first = -1;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    if (all[rank].front() == 0) continue;
    if (first < 0) first = static_cast<int>(rank);
    facts_[rank].found_inf = true;
    if (leads()) facts_[rank].rows = unpacked(by_rank[rank]).get<std::vector<std::int64_t>>();
  }
  return std::max(first, 0);
}

void SharedTraining::report(const Found& found, const std::vector<wire::WatchedTensor>& watched) {
  if (!leads()) {
    wire::StepRecord own = *found.record;
    MergedObservations::keep_own(own, watched);
    json all;
    all["record"] = wire::encode(own);
    if (*found.diagnosis) all["diagnosis"] = wire::encode(**found.diagnosis);
    if (*found.vanished) all["vanished"] = wire::encode(**found.vanished);
    group_.gather(packed(all));
    return;
  }
  const auto by_rank = group_.gather({});
  for (std::size_t rank = 1; rank < by_rank.size(); ++rank) {
    const json all = unpacked(by_rank[rank]);
    merged_.add(*found.record, watched, static_cast<int>(rank), wire::decode<wire::StepRecord>(all["record"]));
    const auto take = [&all](const char* name, std::optional<wire::Diagnosis>& to) {
      if (!to && all.contains(name)) to = wire::decode<wire::Diagnosis>(all[name]);
    };
    take("diagnosis", *found.diagnosis);
    take("vanished", *found.vanished);
  }
}

void SharedTraining::end_step(wire::StepRecord& record) {
  if (leads()) record.ranks = facts_;
  magnitudes_.share(new_magnitudes_);
  if (norms_) return;  // all ranks have the same statistics
  const at::NoGradGuard no_history;
  for (const auto& [dtype, buffers] : buffers_) {
    std::vector<at::Tensor> flat;
    for (const at::Tensor& buffer : buffers) flat.push_back(buffer.reshape({-1}));
    const at::Tensor all = at::cat(flat);
    group_.broadcast(all);
    if (leads()) continue;
    std::int64_t offset = 0;
    for (const at::Tensor& buffer : buffers) {
      buffer.copy_(all.narrow(0, offset, buffer.numel()).view(buffer.sizes()));
      offset += buffer.numel();
    }
  }
}

}  // namespace binade::ranks
