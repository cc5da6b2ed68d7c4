// SPDX-License-Identifier: Apache-2.0
#include "tests/app/scripted_engine.h"

#include "tests/support/suite.h"

#include <QFile>

namespace binade::test {

ScriptedEngine::ScriptedEngine(const QString& first, const QString& body) : folder_(temporaryFolder()) {
  write(QStringLiteral("engine.sh"), "folder=" + folder_.toUtf8() +
                                         "\n"
                                         "if [ \"$1\" = serve ]; then exec " BINADE_FAKE_ENGINE "; fi\n" +
                                         first.toUtf8() +
                                         "\n"
                                         "printf '%s\\n' \"$@\" > \"$folder/arguments\"\n" +
                                         body.toUtf8() + "\n");
}

app::EngineCommand ScriptedEngine::engine() const {
  return {QStringLiteral("/bin/sh"), {folder_ + QStringLiteral("/engine.sh"), QStringLiteral("serve")}};
}

void ScriptedEngine::write(const QString& name, const QByteArray& text) const {
  QFile file(folder_ + u'/' + name);
  if (file.open(QIODevice::WriteOnly)) file.write(text);
}

QStringList ScriptedEngine::arguments() const {
  const QString text = QString::fromUtf8(read(QStringLiteral("arguments"))).trimmed();
  return text.isEmpty() ? QStringList() : text.split(u'\n');
}

QStringList ScriptedEngine::options(const QString& name) const {
  const QStringList all = arguments();
  QStringList values;
  for (qsizetype i = 0; i + 1 < all.size(); ++i) {
    if (all[i] == name) values << all[i + 1];
  }
  return values;
}

policy::Policy ScriptedEngine::policyIn(const QString& name) const {
  const QByteArray text = read(name);
  return text.isEmpty() ? policy::Policy() : policy::parse_policy(text.toStdString(), name.toStdString());
}

QByteArray ScriptedEngine::read(const QString& name) const {
  QFile file(folder_ + u'/' + name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

}  // namespace binade::test
