// SPDX-License-Identifier: Apache-2.0
#include "engine/graph/unsafe_code.h"

#include "engine/graph/model_archive.h"

#include <torch/csrc/jit/frontend/source_range.h>

#include <atomic>
#include <mutex>
#include <tuple>

namespace binade::graph {

namespace {

constexpr const char* kTrust =
    "Open only models whose author you trust. To use this one, save it again without that code, or trust it "
    "(--trust).";

/// More than anyone reads.
constexpr std::size_t kMostFindings = 200;

thread_local CollectFindings* newest = nullptr;

std::mutex trust_mutex;
Trust& trust() {
  static Trust value;
  return value;
}

std::atomic<bool> unchecked = false;

std::string line_at(const torch::jit::SourceRange& range) {
  if (!range.source()) return {};
  const auto line = range.source()->lineno_for_offset(range.start());
  const std::size_t begin = range.source()->offset_for_line(line);
  std::string text;
  for (std::size_t at = begin; at < range.source()->size() && text.size() < 400; ++at) {
    const char letter = range.source()->char_at(at);
    if (letter == '\n') break;
    if (!text.empty() || letter != ' ') text += letter;
  }
  return text;
}

}  // namespace

CodeFinding finding_at(const torch::jit::SourceRange& range, std::string why) {
  CodeFinding finding{.why = std::move(why)};
  if (const auto place = range.file_line_col()) {
    finding.record = std::get<0>(*place);
    finding.line = std::get<1>(*place);
  }
  finding.code = line_at(range);
  return finding;
}

void report_unsafe(CodeFinding finding, const std::string& message) {
  if (newest == nullptr) {
    if (unchecked) return;
    throw Error(ErrorCode::kUnsafe, message, kTrust);
  }
  if (newest->first_.empty()) newest->first_ = message;
  if (newest->found_.size() < kMostFindings) newest->found_.push_back(std::move(finding));
}

CollectFindings::CollectFindings() : outer_(newest) {
  newest = this;
}

CollectFindings::~CollectFindings() {
  newest = outer_;
}

void CollectFindings::throw_if_any(const ModelArchive& archive) const {
  if (first_.empty()) return;
  throw UnsafeModel(Error(ErrorCode::kUnsafe, first_, kTrust), found_, archive.sha256());
}

void set_trust(Trust wanted) {
  const std::scoped_lock lock(trust_mutex);
  trust() = std::move(wanted);
}

bool trusts_all() {
  const std::scoped_lock lock(trust_mutex);
  return trust().all;
}

bool is_trusted(const std::string& sha256) {
  const std::scoped_lock lock(trust_mutex);
  return trust().all || trust().hashes.contains(sha256);
}

void accept_unsafe_graphs() {
  unchecked = true;
}

}  // namespace binade::graph
