// SPDX-License-Identifier: Apache-2.0
// What a checkpoint says of its own bytes.
#include "engine/checkpoint/checkpoint.h"
#include "engine/checkpoint/checkpoint_folder.h"
#include "engine/files/safetensors.h"
#include "engine/formats/error.h"
#include "engine/run/step.h"
#include "engine/train/training.h"
#include "tests/run/small_run.h"
#include "tests/support/mutations.h"
#include "tests/support/suite.h"

#include <nlohmann/json.hpp>

#include <cstring>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>

using namespace binade;
using test::folder;
using test::Listening;
using test::runToEnd;

namespace {

/// Small, with an optimizer's state, and a scaler that has moved.
wire::RunConfig config() {
  wire::RunConfig run =
      test::lineRun("    return torch.linear(torch.cat([x, x], 1)[:, :8] * 0.5, self.weight, self.bias)\n", 6);
  run.observe.level = "off";
  run.optimizer.kind = "adam";
  return run;
}

std::string bytes_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

/// The file with another header, as `change` makes it.
std::string with_header(const std::string& bytes, const std::function<void(nlohmann::ordered_json&)>& change) {
  std::uint64_t length = 0;
  std::memcpy(&length, bytes.data(), sizeof length);
  auto header = nlohmann::ordered_json::parse(bytes.substr(8, length));
  change(header);
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  const std::uint64_t size = text.size();
  std::string whole(sizeof size, '\0');
  std::memcpy(whole.data(), &size, sizeof size);
  return whole + text + bytes.substr(8 + length);
}

}  // namespace

class TestCheckpointDamage : public test::Suite {
  Q_OBJECT

 public:
  explicit TestCheckpointDamage(int rounds = 1000) : rounds_(rounds) {}

 private Q_SLOTS:
  void initTestCase();
  void everyFlippedBitIsSeen();
  void everyMutationIsSeen();
  void missingChecksumsAreRefused();
  void eachMissingFieldIsNamed();
  void resumingFromADamagedOneNamesIt();

 private:
  /// What loading these bytes into the training says; "accepted" where it takes them.
  QString refusal(const std::string& bytes);

  int rounds_;
  std::unique_ptr<train::Training> training_;
  std::string file_;
  std::string whole_;
};

void TestCheckpointDamage::initTestCase() {
  training_ = train::set_up(config());
  run::Stepper stepper(*training_);
  stepper.run(0);
  stepper.run(1);
  file_ = folder() + "/step.safetensors";
  checkpoint::save_checkpoint(*training_, 2, "request", file_);
  whole_ = bytes_of(file_);
}

QString TestCheckpointDamage::refusal(const std::string& bytes) {
  write(file_, bytes);
  try {
    checkpoint::load_checkpoint(*training_, file_);
  } catch (const Error& error) {
    const QString what = QString::fromUtf8(error.what());
    if (error.code != ErrorCode::kBadFile) return QStringLiteral("of another kind: ") + what;
    return what.startsWith(QString::fromStdString(file_)) ? what : QStringLiteral("without its name: ") + what;
  } catch (const std::exception& error) {
    return QStringLiteral("no Error: ") + QString::fromUtf8(error.what());
  }
  return QStringLiteral("accepted");
}

void TestCheckpointDamage::everyFlippedBitIsSeen() {
  QCOMPARE(refusal(whole_), QStringLiteral("accepted"));
  std::mt19937 random(20261122);
  // Each bit of the length and of the header's beginning, and some everywhere.
  std::vector<std::size_t> bits(std::size_t{8} * 200);
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = i;
  for (int i = 0; i < 1000; ++i) {
    bits.push_back(std::uniform_int_distribution<std::size_t>(0, whole_.size() * 8 - 1)(random));
  }
  for (const std::size_t bit : bits) {
    std::string bytes = whole_;
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (1 << bit % 8));
    const QString said = refusal(bytes);
    QVERIFY2(said.startsWith(QString::fromStdString(file_)), qPrintable(QStringLiteral("bit %1: ").arg(bit) + said));
  }
  // What was refused has changed nothing: the training still saves the same state.
  checkpoint::save_checkpoint(*training_, 2, "request", file_);
  const auto without_time = [](const std::string& bytes) {
    return with_header(bytes, [](nlohmann::ordered_json& header) {
      for (const char* key : {"saved", "crc32_header"}) header["__metadata__"].erase(key);
    });
  };
  QVERIFY(without_time(bytes_of(file_)) == without_time(whole_));
}

void TestCheckpointDamage::everyMutationIsSeen() {
  test::Mutator mutator(20261123);
  for (int round = 0; round < rounds_; ++round) {
    const std::string damaged = mutator.bytes(whole_);
    if (damaged == whole_) continue;
    const QString said = refusal(damaged);
    QVERIFY2(said.startsWith(QString::fromStdString(file_)),
             qPrintable(QStringLiteral("round %1: ").arg(round) + said));
  }
}

void TestCheckpointDamage::missingChecksumsAreRefused() {
  const QString said = refusal(with_header(whole_, [](nlohmann::ordered_json& header) {
    for (const char* key : {"crc32", "crc32_header"}) header["__metadata__"].erase(key);
  }));
  QVERIFY2(said.endsWith(QStringLiteral("damaged: its checksums are missing")), qPrintable(said));
}

void TestCheckpointDamage::eachMissingFieldIsNamed() {
  write(file_, whole_);
  const files::Safetensors contents = files::read_safetensors(file_);
  const std::vector<std::pair<std::string, at::Tensor>> tensors(contents.tensors.begin(), contents.tensors.end());
  const std::string other = folder() + "/incomplete.safetensors";
  for (const std::string field : {"binade_checkpoint", "step", "reason", "saved", "run", "policy", "scalers", "data",
                                  "optimizer", "attributes"}) {
    auto metadata = contents.metadata;
    QVERIFY2(metadata.erase(field) == 1, field.c_str());
    files::write_safetensors(other, tensors, metadata);
    try {
      checkpoint::load_checkpoint(*training_, other);
      QFAIL(("accepted without " + field).c_str());
    } catch (const Error& error) {
      QVERIFY2(std::string(error.what()).ends_with("its metadata has no \"" + field + '"'), error.what());
    }
  }
}

void TestCheckpointDamage::resumingFromADamagedOneNamesIt() {
  std::string bytes = whole_;
  bytes[bytes.size() - 5] = static_cast<char>(bytes[bytes.size() - 5] ^ 4);
  write(file_, bytes);
  wire::RunConfig resumed = config();
  resumed.resume = file_;
  Listening heard;
  try {
    runToEnd(resumed, heard);
    QFAIL("accepted");
  } catch (const Error& error) {
    const QString what = QString::fromUtf8(error.what());
    QVERIFY2(
        what.contains(QString::fromStdString(file_)) && what.contains(QStringLiteral("does not match its checksum")),
        error.what());
  }
}

class TestCheckpointDamageAll : public TestCheckpointDamage {
  Q_OBJECT

 public:
  TestCheckpointDamageAll() : TestCheckpointDamage(10'000) {}
};

BINADE_SUITE(TestCheckpointDamage);
BINADE_SUITE(TestCheckpointDamageAll);
#include "tst_checkpoint_damage.moc"
