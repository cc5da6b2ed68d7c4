// SPDX-License-Identifier: Apache-2.0
#include "engine/record/profile_rows.h"

#include "engine/record/rows.h"

namespace binade::record {

ProfileWriter::ProfileWriter(const Database& database)
    : profile_(database, "INSERT INTO profiles VALUES (?, ?, ?, ?, ?, ?, ?)"),
      source_(database, "INSERT INTO profile_sources VALUES (?, ?, ?, ?, ?, ?, ?)"),
      bin_(database, "INSERT INTO profile_bins VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      site_(database, "INSERT INTO profile_sites VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"),
      verdict_(database, "INSERT INTO profile_verdicts VALUES (?, ?, ?, ?, ?)"),
      kernel_(database, "INSERT INTO profile_kernels VALUES (?, ?, ?, ?, ?, ?, ?)") {}

void ProfileWriter::source(std::int64_t seq, const char* part, const wire::ProfileSource& source) {
  const auto [known, is_new] = sources_.try_emplace(part, source);
  if (!is_new && known->second == source) return;
  known->second = source;
  source_.run(part, seq, source.source, source.state, source.sentence, source.next, source.detail);
}

void ProfileWriter::write(std::int64_t seq, const wire::Profile& profile) {
  profile_.run(seq, profile.first_step, profile.last_step, profile.steps, profile.step_seconds, profile.outside,
               profile.estimate);
  source(seq, "curve", profile.curve);
  source(seq, "times", profile.times);
  source(seq, "tensor", profile.tensor);
  for (std::size_t i = 0; i < profile.bins.size(); ++i) {
    const wire::ProfileBin& bin = profile.bins[i];
    bin_.run(seq, std::uint64_t{i}, bin.time, bin.seconds, bin.covered, bin.tensor, bin.hmma, bin.imma, bin.dmma,
             bin.sm_active, bin.clock);
  }
  for (const wire::SiteProfile& site : profile.sites) {
    site_.run(seq, site.site, site.calls, site.forward, site.backward, site.accumulate, site.observe, site.launches,
              site.tensor, site.tensor_error, site.confidence, site.emulated);
    const auto said = std::tie(site.verdict, site.sentence, site.edit);
    const auto [known, is_new] = verdicts_.try_emplace(site.site, said);
    if (is_new || known->second != said) {
      known->second = said;
      verdict_.run(site.site, seq, site.verdict, site.sentence, site.edit);
    }
    for (std::size_t i = 0; i < site.kernels.size(); ++i) {
      const wire::ProfileKernel& kernel = site.kernels[i];
      kernel_.run(seq, site.site, std::uint64_t{i}, kernel.name, kernel.launches, kernel.seconds, kernel.by_name);
    }
  }
}

ProfileReader::ProfileReader(const Database& database)
    : database_(database),
      profile_(database,
               "SELECT first_step, last_step, steps, step_seconds, outside, estimate FROM profiles WHERE seq = ?"),
      source_(database,
              "SELECT source, state, sentence, next, detail FROM profile_sources WHERE part = ? AND seq <= ? "
              "ORDER BY seq DESC LIMIT 1"),
      bin_(database,
           "SELECT time, seconds, covered, tensor, hmma, imma, dmma, sm_active, clock FROM profile_bins WHERE seq = ? "
           "ORDER BY position"),
      site_(database,
            "SELECT site, calls, forward, backward, accumulate, observe, launches, tensor, tensor_error, confidence, "
            "emulated FROM profile_sites WHERE seq = ? ORDER BY site"),
      verdict_(database,
               "SELECT verdict, sentence, edit FROM profile_verdicts WHERE site = ? AND seq <= ? "
               "ORDER BY seq DESC LIMIT 1"),
      kernel_(database,
              "SELECT name, launches, seconds, by_name FROM profile_kernels WHERE seq = ? AND site = ? "
              "ORDER BY position") {}

wire::ProfileSource ProfileReader::source(std::int64_t seq, const char* part) {
  wire::ProfileSource source;
  source_.query(part, seq);
  if (source_.next()) {
    source = {source_.text(0), source_.text(1), source_.text(2), source_.text(3), source_.text(4)};
  }
  source_.reset();
  return source;
}

wire::Profile ProfileReader::read(std::int64_t seq) {
  go_to(database_, profile_, seq);
  wire::Profile profile;
  profile.first_step = profile_.integer(0);
  profile.last_step = profile_.integer(1);
  profile.steps = profile_.integer(2);
  profile.step_seconds = profile_.real(3);
  profile.outside = profile_.real(4);
  profile.estimate = profile_.integer(5) != 0;
  profile_.reset();
  profile.curve = source(seq, "curve");
  profile.times = source(seq, "times");
  profile.tensor = source(seq, "tensor");
  bin_.query(seq);
  while (bin_.next()) {
    profile.bins.push_back({.time = bin_.real(0),
                            .seconds = bin_.real(1),
                            .covered = bin_.real(2),
                            .tensor = bin_.real(3),
                            .hmma = bin_.real(4),
                            .imma = bin_.real(5),
                            .dmma = bin_.real(6),
                            .sm_active = bin_.real(7),
                            .clock = bin_.real(8)});
  }
  site_.query(seq);
  while (site_.next()) {
    wire::SiteProfile& site = profile.sites.emplace_back();
    site.site = static_cast<int>(site_.integer(0));
    site.calls = site_.real(1);
    site.forward = site_.real(2);
    site.backward = site_.real(3);
    site.accumulate = site_.real(4);
    site.observe = site_.real(5);
    site.launches = site_.real(6);
    site.tensor = site_.real(7);
    site.tensor_error = site_.real(8);
    site.confidence = site_.text(9);
    site.emulated = site_.integer(10) != 0;
    verdict_.query(site.site, seq);
    if (verdict_.next()) {
      site.verdict = verdict_.text(0);
      site.sentence = verdict_.text(1);
      site.edit = verdict_.text(2);
    }
    verdict_.reset();
    kernel_.query(seq, site.site);
    while (kernel_.next()) {
      site.kernels.push_back({kernel_.text(0), kernel_.integer(1), kernel_.real(2), kernel_.text(3)});
    }
  }
  return profile;
}

}  // namespace binade::record
