// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/wire/diagnosis.h"
#include "engine/wire/model_info.h"
#include "engine/words/site_text.h"

#include <cstdint>
#include <span>
#include <string>

namespace binade::words {

/// Returns the summary: what, where, when, and what to do.
std::string sentence_of(const wire::Diagnosis& diagnosis, std::span<const wire::SiteInfo> sites, std::int64_t step,
                        double scale);

/// What happened at one first cause, without where it led to: `The output of exp#0 overflowed in float32`.
std::string happening_of(const wire::Root& root, std::span<const wire::SiteInfo> sites);

/// Lowercases a sentence's first word for use within a sentence; names of op calls are unchanged.
std::string uncapitalised(std::string text);

/// The verdict in words that a student understands, with the safe scales and what else was found.
std::string explanation_of(const wire::Diagnosis& diagnosis, std::span<const wire::SiteInfo> sites);

/// Explains a lost value: `operation` has no finite result for what remains of it.
std::string lost_text(const wire::Diagnosis& diagnosis, const wire::Root& operation,
                      std::span<const wire::SiteInfo> sites);

/// Describes the safe scales of a step, and the tensors that limit them.
std::string band_text(const wire::ScaleBand& band, std::span<const wire::SiteInfo> sites);

}  // namespace binade::words
