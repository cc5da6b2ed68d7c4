// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/sha256.h"
#include "tests/support/suite.h"

#include <QCryptographicHash>

#include <algorithm>

namespace binade {

class Sha256Hash : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyLengthIsAsQtsInPartsOfEverySize();
};

void Sha256Hash::everyLengthIsAsQtsInPartsOfEverySize() {
  for (int length = 0; length < 200; ++length) {
    QByteArray bytes;
    for (int i = 0; i < length; ++i) bytes.append(static_cast<char>(i * 37 + length));
    const QByteArray expected = QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
    for (const int part : {1, 7, 63, 64, 65, 1000}) {
      formats::Sha256 hash;
      for (int at = 0; at < length; at += part) {
        const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes.constData()) + at;
        hash.add({begin, static_cast<std::size_t>(std::min(part, length - at))});
      }
      QCOMPARE(QByteArray::fromStdString(hash.finish()), expected);
    }
  }
}

BINADE_SUITE(Sha256Hash);

}  // namespace binade

#include "tst_sha256.moc"
