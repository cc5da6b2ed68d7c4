// SPDX-License-Identifier: Apache-2.0
#include "app/model/run_data.h"

#include <algorithm>

namespace binade::app {

namespace {

// Of two magnitudes the larger one counts, with the loss scale that it was observed at.
void mergeScan(ScanPoint& into, const ScanPoint& next) {
  if (next.largest > into.largest) {
    into.largest = next.largest;
    into.scale = next.scale;
  }
  into.step = next.step;
  into.overflow += next.overflow;
  into.non_finite += next.non_finite;
  into.nan_or_above += next.nan_or_above;
  into.censored |= next.censored;
}

}  // namespace

void TensorTrack::addScan(std::int64_t step, double scale, const formats::TensorStats& stats) {
  scans.push_back({step, scale, stats.largest, stats.censored, stats.overflow, stats.non_finite(),
                   stats.nan + stats.positive_infinity, step});
  if (scans.size() <= kMostScans) return;
  keepOld(scans.front());
  scans.pop_front();
}

void TensorTrack::keepOld(const ScanPoint& scan) {
  if (!older_scans.empty() && scans_in_last < scans_in_one) {
    mergeScan(older_scans.back(), scan);
    ++scans_in_last;
    return;
  }
  if (older_scans.size() == kMostOlderScans) {
    for (std::size_t i = 0; i < kMostOlderScans / 2; ++i) {
      ScanPoint pair = older_scans[2 * i];
      mergeScan(pair, older_scans[2 * i + 1]);
      older_scans[i] = pair;
    }
    older_scans.resize(kMostOlderScans / 2);
    scans_in_one *= 2;
  }
  older_scans.push_back(scan);
  scans_in_last = 1;
}

void TensorTrack::dropFrom(std::int64_t step) {
  const auto later = [step](const ScanPoint& scan) { return scan.step >= step; };
  histograms.dropFrom(step);
  std::erase_if(scans, later);
  if (std::erase_if(older_scans, later) > 0) scans_in_last = scans_in_one;  // the remaining ones are whole
}

const ScanPoint* TensorTrack::scanAt(std::int64_t step) const {
  const auto before = [step](const ScanPoint& scan) { return scan.first_step <= step; };
  const auto newest = std::find_if(scans.rbegin(), scans.rend(), before);
  if (newest != scans.rend()) return &*newest;
  const auto older = std::find_if(older_scans.rbegin(), older_scans.rend(), before);
  return older == older_scans.rend() ? nullptr : &*older;
}

}  // namespace binade::app
