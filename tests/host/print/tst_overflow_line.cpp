// SPDX-License-Identifier: Apache-2.0
#include "engine/host/print/overflow_line.h"
#include "engine/host/print/profile_report.h"
#include "engine/host/print/silent_report.h"
#include "engine/host/print/wire_members.h"
#include "engine/wire/codec.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <limits>

using namespace binade;
using Json = nlohmann::ordered_json;

namespace {

std::vector<wire::SiteInfo> sites() {
  std::vector<wire::SiteInfo> all(32);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i].id = static_cast<int>(i);
    all[i].key.path = "fc" + std::to_string(i);
    all[i].key.op = "aten::linear";
  }
  return all;
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const wire::SiteInfo& site : sites()) all.push_back(site.key.name());
  return all;
}

/// Members of an encoding that a line lacks, by their path.
QStringList missing(const Json& line, const nlohmann::json& encoded, const QString& path) {
  QStringList all;
  for (const auto& [key, value] : encoded.items()) {
    const QString place = path + QString::fromStdString(key);
    if (!line.contains(key)) {
      all << place;
    } else if (value.is_object() && line[key].is_object()) {
      all << missing(line[key], value, place + QLatin1Char('.'));
    } else if (value.is_array() && line[key].is_array()) {
      if (line[key].size() != value.size()) all << place + QStringLiteral(": length");
      for (std::size_t i = 0; i < value.size() && i < line[key].size(); ++i) {
        if (value[i].is_object()) all << missing(line[key][i], value[i], place + QLatin1Char('.'));
      }
    }
  }
  return all;
}

}  // namespace

/// Lines hold all that the wire has, under its names, and names of op calls.
class TestOverflowLine : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyFactOfAnEventIsInItsLine() {
    for (int step = 0; step < 9; ++step) {  // each kind of facts
      const wire::Event event = test::sampleEvent(step);
      const Json line = host::overflow_line(event, names(), "What happened.", "What it means.");
      nlohmann::json encoded = wire::encode(event);
      const nlohmann::json diagnosis = wire::encode(*event.diagnosis);
      encoded.erase("diagnosis");
      QCOMPARE(missing(line, encoded, {}) + missing(line, diagnosis, {}), QStringList());
      QCOMPARE(line["sentence"].get<std::string>(), std::string("What happened."));
      QCOMPARE(line["explanation"].get<std::string>(), std::string("What it means."));
      QCOMPARE(line["tensors"][0]["site"].get<std::string>(), names()[3]);
      QCOMPARE(line["roots"][0]["site"].get<std::string>(), names()[3]);
      QCOMPARE(line["fix"]["outcome"].get<std::string>(), std::string("lost"));
      QCOMPARE(line["evidence"][1]["rules"].size(), std::size_t{1});
    }
  }

  void whatJsonCannotHoldIsAWord() {
    wire::Event event;
    event.tensors = {{.tensor = 1, .site = -1, .largest = std::numeric_limits<float>::infinity()}};
    event.facts = wire::NotFinite{wire::NotFinite::Loss::kNaN, true, "fc.bias"};
    const Json line = host::overflow_line(event, names(), "", "");
    QCOMPARE(line["tensors"][0]["largest"].get<std::string>(), std::string("inf"));
    QVERIFY(line["tensors"][0]["site"].is_null());
    QCOMPARE(line["not_finite"]["parameter"].get<std::string>(), std::string("fc.bias"));
  }

  void everyFactOfSilentFaultsIsInTheirLine() {
    const wire::SilentReport report = test::sampleSilentReport(9);
    const Json line = host::silent_line(report, sites(), 1);
    const nlohmann::json encoded = wire::encode(report);
    QCOMPARE(missing(line, encoded, {}), QStringList());
    for (std::size_t i = 0; i < report.faults.size(); ++i) {
      QCOMPARE(line["faults"][i]["unit"].get<std::string>(), encoded["faults"][i]["unit"].get<std::string>());
      QVERIFY(!line["faults"][i]["sentence"].get<std::string>().empty());
    }
    QCOMPARE(line["hidden"][1]["site"].get<std::string>(), names()[1]);
    QVERIFY(line["hidden"][2]["site"].is_null());
    QVERIFY(!line["hidden"][2]["sentence"].get<std::string>().empty());
  }

  void everyFactOfAProfileIsInItsLine() {
    const wire::Profile profile = test::sampleProfile(9);
    const Json line = host::to_json(profile, names());
    QCOMPARE(missing(line, wire::encode(profile), {}), QStringList());
    QCOMPARE(line["event"].get<std::string>(), std::string("profile"));
    for (std::size_t i = 0; i < profile.sites.size(); ++i) {
      const auto id = static_cast<std::size_t>(profile.sites[i].site);
      QCOMPARE(line["sites"][i]["site"].get<std::string>(), names()[id]);
      QVERIFY(!line["sites"][i]["sentence"].get<std::string>().empty());
    }
    wire::Profile unmeasured;
    unmeasured.bins.emplace_back();
    QVERIFY(host::to_json(unmeasured, names())["bins"][0]["tensor"].is_null());
  }

  void everyFactOfAComparisonIsInItsLine() {
    const wire::Float32Comparison compared = test::sampleComparison(9);
    const Json line = host::wire_line("comparison", wire::encode(compared), names());
    QCOMPARE(missing(line, wire::encode(compared), {}), QStringList());
    for (std::size_t i = 0; i < compared.sites.size(); ++i) {
      const auto id = static_cast<std::size_t>(compared.sites[i].site);
      QCOMPARE(line["sites"][i]["site"].get<std::string>(), names()[id]);
      QVERIFY(!line["sites"][i]["becomes_at"].is_number());
    }
  }
};

BINADE_SUITE(TestOverflowLine);
#include "tst_overflow_line.moc"
