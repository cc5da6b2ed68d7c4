// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <QList>
#include <QMap>
#include <QPointF>
#include <QString>

#include <string>

namespace binade::test {

/// An element of a page, with the text of everything inside it.
struct PageElement {
  QString name;
  QMap<QString, QString> attributes;
  QString text;
  QList<int> inside;  ///< indices of the enclosing elements, outermost first

  QString id() const { return attributes.value(QStringLiteral("id")); }
  bool hasClass(const QString& style) const;
};

/// A page read as XML, which it must be. `error` is empty if it is well-formed.
struct ReadPage {
  QList<PageElement> elements;
  QString error;

  /// The first element with this id; an empty one if there is none.
  PageElement byId(const QString& id) const;
  /// Elements of this name inside the element with this id, in their order.
  QList<PageElement> within(const QString& id, const QString& name) const;
  /// The text of the section that the heading with this id begins.
  QString section(const QString& heading) const;
};

ReadPage readPage(const std::string& html);

/// The points of a polyline or polygon.
QList<QPointF> pointsOf(const PageElement& line);

}  // namespace binade::test
