// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/wire/codec.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <set>

using namespace binade;
using nlohmann::json;

namespace {

/// There and back over the real bytes of the wire.
template <class T>
T throughBytes(const T& value) {
  return wire::decode<T>(json::from_cbor(json::to_cbor(wire::encode(value))));
}

template <class T>
std::string failureOf(const json& object) {
  try {
    wire::decode<T>(object);
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

/// Every path of an object that ends in a value which is no object: `config.data.kind`.
void collectFields(const json& object, const json::json_pointer& at, std::vector<json::json_pointer>& all) {
  const bool free_names = !at.empty() && (at.back() == "columns" || at.back() == "targets");
  for (const auto& [name, value] : object.items()) {
    // A column's shape may be absent: its examples are as the file has them.
    if (!free_names && name != "shape") all.push_back(at / name);
    if (value.is_object() && !value.contains("binade_policy")) collectFields(value, at / name, all);
  }
}

}  // namespace

class Codec : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyStructComesBackAsItWas();
  void placesOfSitesComeBackWithTheirBlocks();
  void nanAndInfinityComeBack();
  void textComesBackAsItWas();
  void textSpellsWhatJsonHasNoNumberFor();
  void textThatNestsTooDeeplyIsRefused();
  void extremeIntegersComeBack();
  void everyEnumValueHasAWordOfItsOwn();
  void unknownFieldsAreIgnoredAtEveryLevel();
  void eachMissingFieldIsNamed();
  void aWrongKindNamesItsPlace_data();
  void aWrongKindNamesItsPlace();
  void damagedStatisticsAreRefused();
};

void Codec::everyStructComesBackAsItWas() {
  const auto same = [](const auto& value) { return throughBytes(value) == value; };
  QVERIFY(same(wire::Hello{3, "other", "1.2"}));
  QVERIFY(same(wire::Welcome{4, "0.9", "2.11.0", "NVIDIA H200", true, true}));
  QVERIFY(same(wire::Hello{1, "binade", "1.2", wire::LinkLimits{1'250'000, 20, true}, true, "anna at desk"}));
  wire::Welcome attached{4, "0.9", "2.11.0", "NVIDIA H200", true, true, true, {}};
  attached.attached = {"cnn", 4711, "node7", "/runs/cnn.binade", 1'790'000'000, 120, 2};
  QVERIFY(same(attached));
  QVERIFY(same(wire::ListFolder{"~/runs", true}));
  QVERIFY(same(wire::FolderList{
      "/runs", "/", "/users/anna", {{"old", true, 0, 1, true}, {"cnn.binade", false, 1u << 30, 2, false}}, 7}));
  QVERIFY(same(wire::ReadFile{"/runs/cnn.binade", "1", 4096, 512}));
  QVERIFY(same(wire::FilePart{"1", true, 1, 8192, 4096, {std::string("SQL\0\xff", 5)}}));
  QVERIFY(same(wire::InspectModel{"a.pt"}));
  QVERIFY(same(wire::TrustModel{"a.pt", "00"}));
  QVERIFY(same(wire::TrustedModels{{{"00", "a.pt"}, {"01", ""}}}));
  QVERIFY(same(wire::EndTrust{"00"}));
  QVERIFY(same(wire::StartRun{test::sampleConfig()}));
  QVERIFY(same(wire::SetScale{1.5, "slow"}));
  QVERIFY(same(test::sampleConfig().scalers.back()));
  const wire::CheckpointInfo checkpoint{
      "/runs/step-25.safetensors", 25, "edit", 3, "sample:cnn", 1u << 30, 1'790'000'000, 0.25};
  QVERIFY(same(checkpoint));
  QVERIFY(same(wire::CheckpointList{{checkpoint, checkpoint}}));
  QVERIFY(same(wire::ListCheckpoints{"/runs"}));
  QVERIFY(same(wire::LoadCheckpoint{checkpoint.file, wire::PolicySet{4, test::samplePolicy()}}));
  QVERIFY(same(wire::LoadCheckpoint{checkpoint.file, std::nullopt}));
  QVERIFY(same(wire::SaveCheckpoint{"try"}));
  QVERIFY(wire::decode<wire::SaveCheckpoint>(nlohmann::json::object()) == wire::SaveCheckpoint{});
  QVERIFY(same(wire::SaveModel{"net.pt"}));
  QVERIFY(same(wire::PreviewData{test::sampleConfig()}));
  QVERIFY(same(wire::DataPreview{{{"x", false, "float32", {8, 3}, -1.5, 2, 0.25, 1, {0.5, -1}, {}},
                                  {"y", true, "int64", {8}, 0, 1, 0.5, 0, {1}, {{0, 4}, {1, 4}}}},
                                 100,
                                 20,
                                 12}));
  QVERIFY(same(wire::ListArrays{{"a.npz", "b.csv"}}));
  QVERIFY(same(wire::DataArrays{{{"a.npz", "x"}, {"b.csv", "age"}}}));
  wire::StepRecord scaled = test::sampleStep(3);
  scaled.scalers = {{65536, 32768, true}, {1024, 1024, false}};
  QVERIFY(same(scaled));
  QVERIFY(same(wire::Rewound{25, checkpoint.file}));
  QVERIFY(same(test::sampleComparison(7)));
  QVERIFY(same(test::sampleQuantized(7)));
  QVERIFY(same(test::sampleWhatIf(7)));
  QVERIFY(same(wire::AskWhatIf{3, policy::Product::kGradInput, policy::Operand::kWeight, "mxfp8"}));
  QVERIFY(same(wire::AskSavings{test::samplePolicy()}));
  QVERIFY(same(test::sampleSavings(7)));
  QVERIFY(same(wire::Savings{}));  // times that were not measured stay unknown
  QVERIFY(same(test::sampleCasts(4, 10)));
  QVERIFY(same(wire::ScalerChanged{26, test::sampleConfig().scalers.back(), 0.5}));
  QVERIFY(same(wire::PolicySet{9, test::samplePolicy()}));
  QVERIFY(same(wire::StateChanged{wire::RunState::kPaused, 77}));
  QVERIFY(same(wire::LogLine{"warning", "slow"}));
  QVERIFY(same(wire::StepBatch{{test::sampleStep(0), test::sampleStep(1)}}));
  QVERIFY(same(test::sampleModel()));
  QVERIFY(same(wire::ObserveConfig{"off", 12}));
  QVERIFY(same(test::sampleConfig()));
  QVERIFY(same(test::sampleStep(0, 9)));
  QVERIFY(same(test::sampleProfile(40)));
  QVERIFY(same(wire::ProfileConfig{.level = "counters", .every = 4, .interval = 20}));
  QVERIFY(same(test::sampleSilentReport(40)));
  QVERIFY(same(test::sampleEvent(41)));
  QVERIFY(same(wire::Evaluated{600, 0.87, 0.4}));
  QVERIFY(same(test::samplePolicyApplied(5, 17)));
  QVERIFY(same(test::sampleStarted()));
  QVERIFY(same(wire::Finished{wire::Outcome::kFailed, 12, "no memory", "use a smaller batch"}));
}

// What an explorer needs to resolve a policy as the engine will: loops, and the model's own autocast blocks.
void Codec::placesOfSitesComeBackWithTheirBlocks() {
  wire::ModelInfo model = test::sampleModel();
  model.own_blocks = {{"cuda-amp", formats::kBFloat16, true, false, "net.py:3", -1},
                      {"", std::nullopt, false, std::nullopt, "", 0}};
  model.sites[1].own_block = 1;
  model.sites[2].own_block = 0;
  model.sites[2].in_loop = true;
  model.sites[1].inside = true;
  const wire::ModelInfo back = throughBytes(model);
  QVERIFY(back == model);
  const wire::SitePlaces places(back);
  QCOMPARE(places.places().size(), std::size_t{4});
  QVERIFY(places.places()[0].block == nullptr && !places.places()[0].repeats);
  const policy::OwnBlock* const outer = places.places()[2].block;
  QVERIFY(outer->list == policy::Base::kCudaAmp && outer->low == formats::kBFloat16 && outer->cache_enabled == false);
  QVERIFY(places.places()[2].repeats && !places.places()[2].inside);
  QVERIFY(places.places()[1].inside);
  const policy::OwnBlock* const inner = places.places()[1].block;
  QVERIFY(!inner->enabled && inner->outer == outer && !inner->list && !inner->low);
}

void Codec::nanAndInfinityComeBack() {
  wire::StepRecord step = test::sampleStep(1);
  step.loss = std::numeric_limits<double>::quiet_NaN();
  step.scale = std::numeric_limits<double>::infinity();
  step.next_scale = -std::numeric_limits<double>::infinity();
  step.gradient_norm = std::numeric_limits<double>::quiet_NaN();
  const auto back = throughBytes(step);
  QVERIFY(std::isnan(back.loss));
  QVERIFY(std::isinf(back.scale) && back.scale > 0);
  QVERIFY(std::isinf(back.next_scale) && back.next_scale < 0);
  QVERIFY(std::isnan(back.gradient_norm));
  QVERIFY(back.observations == step.observations);
}

void Codec::textComesBackAsItWas() {
  const auto expect = [](const auto& value) {
    using T = std::decay_t<decltype(value)>;
    QVERIFY(wire::decode_text<T>(wire::encode_text(value)) == value);
  };
  expect(test::sampleModel());
  expect(test::sampleProfile(3));
  expect(test::sampleCasts(1, 4));
  expect(test::sampleComparison(5));
  expect(test::sampleSilentReport(6));
  expect(*test::sampleEvent(7).diagnosis);
  // Doubles of every size, at random, to the bit.
  std::mt19937_64 random(11);
  wire::Float32Comparison compared;
  for (int i = 0; i < 20000; ++i) {
    auto& site = compared.sites.emplace_back();
    const auto value = std::bit_cast<double>(random());
    site.forward = std::isnan(value) ? -0.0 : value;
    site.gradient = site.forward;
  }
  const auto back = wire::decode_text<wire::Float32Comparison>(wire::encode_text(compared));
  const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
  for (std::size_t i = 0; i < compared.sites.size(); ++i) {
    QCOMPARE(bits(back.sites[i].forward), bits(compared.sites[i].forward));
    QCOMPARE(bits(*back.sites[i].gradient), bits(*compared.sites[i].gradient));
  }
}

void Codec::textSpellsWhatJsonHasNoNumberFor() {
  const double infinity = std::numeric_limits<double>::infinity();
  wire::Float32Comparison compared;
  compared.loss = std::numeric_limits<double>::quiet_NaN();
  compared.float32_loss = -infinity;
  compared.scale = infinity;
  const std::string text = wire::encode_text(compared);
  QCOMPARE(text, std::string(R"({"float32_loss":"-Infinity","loss":null,"reference":[],"scale":"Infinity","sites":[],)"
                             R"("step":0})"));
  const auto back = wire::decode_text<wire::Float32Comparison>(text);
  QVERIFY(std::isnan(back.loss));
  QVERIFY(back.float32_loss == -infinity && back.scale == infinity);
  // On the wire they are numbers, and these spellings are none.
  QCOMPARE(failureOf<wire::Float32Comparison>(json::parse(text)), std::string("loss must be a number, not null"));
  QVERIFY_THROWS_EXCEPTION(Error, wire::decode_text<wire::Float32Comparison>("{"));
}

void Codec::textThatNestsTooDeeplyIsRefused() {
  try {
    wire::decode_text<wire::Float32Comparison>(std::string(1000, '['));
    QFAIL("no error");
  } catch (const Error& error) {
    QCOMPARE(std::string(error.what()), std::string("has lists and objects that are nested too deeply"));
  }
}

void Codec::extremeIntegersComeBack() {
  wire::StateChanged change{wire::RunState::kRunning, std::numeric_limits<std::int64_t>::max()};
  QCOMPARE(throughBytes(change).step, change.step);
  change.step = std::numeric_limits<std::int64_t>::min();
  QCOMPARE(throughBytes(change).step, change.step);
  json object = wire::encode(change);
  object["step"] = std::numeric_limits<std::uint64_t>::max();
  QCOMPARE(failureOf<wire::StateChanged>(object), std::string("step is out of range: 18446744073709551615"));
}

void Codec::everyEnumValueHasAWordOfItsOwn() {
  std::set<std::string> words;
  for (int i = 0; i < 6; ++i) words.insert("tensor " + wire::name(static_cast<wire::WatchedTensor::Kind>(i)));
  for (int i = 0; i < 6; ++i) words.insert("event " + wire::name(static_cast<wire::Event::Kind>(i)));
  for (int i = 0; i < 4; ++i) words.insert("outcome " + wire::name(static_cast<wire::Outcome>(i)));
  for (int i = 0; i < 5; ++i) words.insert("state " + wire::name(static_cast<wire::RunState>(i)));
  for (int i = 0; i < 7; ++i) words.insert("silent " + wire::name(static_cast<wire::SilentFault::Kind>(i)));
  QCOMPARE(words.size(), std::size_t{28});
  for (int i = 0; i < 5; ++i) {
    const wire::StateChanged change{static_cast<wire::RunState>(i), i};
    QCOMPARE(throughBytes(change), change);
  }
  for (int i = 0; i < 4; ++i) {
    const wire::Finished finished{static_cast<wire::Outcome>(i), i, "a", "b"};
    QCOMPARE(throughBytes(finished), finished);
  }
}

void Codec::unknownFieldsAreIgnoredAtEveryLevel() {
  json object = wire::encode(test::sampleStarted());
  object["later"] = {1, 2};
  object["config"]["later"] = "x";
  object["config"]["data"]["later"] = nullptr;
  object["model"]["sites"][0]["later"] = json::object();
  object["model"]["sites"][0]["key"]["later"] = 1;
  object["policy"]["decisions"][2]["later"] = 1.5;
  QVERIFY(wire::decode<wire::RunStarted>(object) == test::sampleStarted());
}

void Codec::eachMissingFieldIsNamed() {
  const json whole = wire::encode(test::sampleStarted());
  std::vector<json::json_pointer> all;
  collectFields(whole, json::json_pointer(), all);
  QVERIFY(all.size() > 50);
  for (const auto& pointer : all) {
    if (pointer.to_string() == "/model/flow") continue;         // a model without it is one whose flow is not known
    if (pointer.to_string() == "/ranks") continue;              // a run without it is one process
    if (pointer.to_string() == "/config/batch_norm") continue;  // local without it
    json object = whole;
    object[pointer.parent_pointer()].erase(pointer.back());
    std::string path = pointer.to_string().substr(1);
    std::replace(path.begin(), path.end(), '/', '.');
    QVERIFY2(failureOf<wire::RunStarted>(object) == path + " is missing", path.c_str());
  }
}

void Codec::aWrongKindNamesItsPlace_data() {
  QTest::addColumn<QString>("place");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("message");
  const auto row = [](const char* place, const char* value, const char* message) {
    QTest::newRow(message) << QString::fromUtf8(place) << QString::fromUtf8(value) << QString::fromUtf8(message);
  };
  row("/steps/1/loss", "\"low\"", "steps[1].loss must be a number, not a string");
  row("/steps/0/step", "1.5", "steps[0].step must be a whole number, not 1.5");
  row("/steps/0/step", "null", "steps[0].step must be a whole number, not null");
  row("/steps/0/stepped", "1", "steps[0].stepped must be true or false, not a number");
  row("/steps/0/observations", "{}", "steps[0].observations must be a list, not an object");
  row("/steps/0/observations/2/stats", "\"abc\"", "steps[0].observations[2].stats must be bytes, not a string");
  row("/steps/0/observations/2/tensor", "3000000000", "steps[0].observations[2].tensor is out of range: 3000000000");
  row("/steps/0/new_tensors/1/kind", "\"sideways\"",
      "steps[0].new_tensors[1].kind is \"sideways\", which is not one of its values");
  row("/steps/0/new_tensors/1/format", "\"float99\"",
      "steps[0].new_tensors[1].format is \"float99\", which is not a number format");
  row("/steps/0/new_tensors/1/argument", "true",
      "steps[0].new_tensors[1].argument must be a string, not true or false");
  row("/steps/1", "[]", "steps[1] must be an object, not a list");
}

void Codec::aWrongKindNamesItsPlace() {
  QFETCH(QString, place);
  QFETCH(QString, value);
  QFETCH(QString, message);
  json object = wire::encode(wire::StepBatch{{test::sampleStep(0), test::sampleStep(1)}});
  object[json::json_pointer(place.toStdString())] = json::parse(value.toStdString());
  QCOMPARE(QString::fromStdString(failureOf<wire::StepBatch>(object)), message);
}

void Codec::damagedStatisticsAreRefused() {
  json object = wire::encode(wire::StepBatch{{test::sampleStep(0)}});
  auto& bytes = object["steps"][0]["observations"][1]["stats"].get_binary();
  bytes.resize(bytes.size() / 2);
  QVERIFY(QString::fromStdString(failureOf<wire::StepBatch>(object))
              .startsWith(QStringLiteral("steps[0].observations[1].stats does not hold statistics: ")));
}

BINADE_SUITE(Codec);
#include "tst_codec.moc"
