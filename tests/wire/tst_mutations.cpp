// SPDX-License-Identifier: Apache-2.0
// Run descriptions and policies that are damaged: an Error with a message, or a value that means the same written down.
#include "engine/formats/error.h"
#include "engine/policy/policy.h"
#include "engine/wire/run_config.h"
#include "tests/support/mutations.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>

using namespace binade;

namespace {

std::vector<std::string> textsIn(const char* folder) {
  std::vector<std::string> texts;
  const QDir good(QStringLiteral(BINADE_TEST_DATA "/") + QLatin1String(folder));
  for (const QString& name : good.entryList({QStringLiteral("*.json")}, QDir::Files, QDir::Name)) {
    QFile file(good.filePath(name));
    if (file.open(QIODevice::ReadOnly)) texts.push_back(file.readAll().toStdString());
  }
  return texts;
}

/// Whether it begins as what JSON is made of; a byte order mark stands before some.
std::string jsonOf(const std::string& text) {
  const std::size_t brace = text.find('{');
  return brace == std::string::npos ? std::string("{}") : text.substr(brace);
}

/// `rounds` damaged texts, half of them JSON still. Says what went wrong, or nothing.
template <class Read>
QString mutated(const std::vector<std::string>& texts, int rounds, Read read) {
  if (texts.empty()) return QStringLiteral("there are no texts");
  test::Mutator mutator(16);
  int accepted = 0;
  for (int round = 0; round < rounds; ++round) {
    const std::string& whole = texts[mutator.below(texts.size())];
    const std::string text = round % 2 == 0 ? mutator.bytes(whole) : mutator.json(jsonOf(whole));
    try {
      if (!read(text)) return QStringLiteral("round %1 does not come back: ").arg(round) + QString::fromStdString(text);
      ++accepted;
    } catch (const Error& error) {
      if (std::string(error.what()).empty()) return QStringLiteral("round %1 has no message").arg(round);
    } catch (const std::exception& error) {
      return QStringLiteral("round %1: %2: ").arg(round).arg(QString::fromUtf8(error.what())) +
             QString::fromStdString(text);
    }
  }
  return accepted == rounds ? QStringLiteral("nothing was refused") : QString();
}

bool runComesBack(const std::string& text) {
  const wire::RunConfig config = wire::parse_run(text, "run.json", "");
  return wire::parse_run(wire::to_json(config), "run.json", "") == config;
}

bool policyComesBack(const std::string& text) {
  const policy::Policy policy = policy::parse_policy(text, "a.policy.json");
  return policy::parse_policy(policy::to_json(policy), "a.policy.json") == policy;
}

}  // namespace

class Mutations : public test::Suite {
  Q_OBJECT

 public:
  explicit Mutations(int rounds = 1000) : rounds_(rounds) {}

 private Q_SLOTS:
  void runDescriptions() { QCOMPARE(mutated(textsIn("runs/good"), rounds_, runComesBack), QString()); }
  void runDescriptionsOfData() { QCOMPARE(mutated(textsIn("journeys"), rounds_, runComesBack), QString()); }
  void policies() { QCOMPARE(mutated(textsIn("policies/good"), rounds_, policyComesBack), QString()); }

 private:
  int rounds_;
};

class MutationsAll : public Mutations {
  Q_OBJECT

 public:
  MutationsAll() : Mutations(10'000) {}
};

BINADE_SUITE(Mutations);
BINADE_SUITE(MutationsAll);
#include "tst_mutations.moc"
