// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/classroom/page_server.h"

#include <QRandomGenerator>
#include <QTimer>
#include <QtNetwork/QTcpSocket>

#include <array>

namespace lab {
namespace {

// 128 random bits, which nobody can guess.
QByteArray randomToken() {
  std::array<quint32, 4> bits{};
  QRandomGenerator::system()->fillRange(bits.data(), bits.size());
  return QByteArray(reinterpret_cast<const char*>(bits.data()), sizeof bits)
      .toBase64(QByteArray::Base64UrlEncoding | QByteArray::OmitTrailingEquals);
}

}  // namespace

PageServer::PageServer(QObject* parent) : QObject(parent), token_(randomToken()) {
  connect(&server_, &QTcpServer::newConnection, this, &PageServer::accept);
}

bool PageServer::listen(const QHostAddress& address) {
  server_.close();
  return server_.listen(address, 0);  // 0: any free port
}

void PageServer::setContent(const QByteArray& page, const QByteArray& file, const QString& fileName) {
  page_ = page;
  file_ = file;
  fileName_ = fileName.toUtf8().toPercentEncoding();
}

QUrl PageServer::url() const {
  QUrl url;
  url.setScheme(QStringLiteral("http"));
  url.setHost(server_.serverAddress().toString());
  url.setPort(server_.serverPort());
  url.setPath(QLatin1Char('/') + QString::fromLatin1(token_));
  return url;
}

QString PageServer::fileUrl(const QString& fileName) const {
  return QStringLiteral("/%1/%2").arg(QString::fromLatin1(token_),
                                      QString::fromLatin1(fileName.toUtf8().toPercentEncoding()));
}

void PageServer::accept() {
  while (QTcpSocket* socket = server_.nextPendingConnection()) {
    connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
    if (connections_ >= kMostConnections) {
      socket->abort();
      socket->deleteLater();
      continue;
    }
    ++connections_;
    connect(socket, &QObject::destroyed, this, [this] { --connections_; });
    socket->setParent(this);
    socket->setReadBufferSize(kMostRequestBytes + 1);
    // Drops clients that send the request, or take the answer, too slowly.
    QTimer::singleShot(kAskMs, socket, [socket] {
      if (!socket->property("answered").toBool()) socket->abort();
    });
    QTimer::singleShot(kAnswerMs, socket, [socket] { socket->abort(); });
    connect(socket, &QTcpSocket::readyRead, this, [this, socket] { read(*socket); });
  }
}

void PageServer::read(QTcpSocket& socket) {
  if (socket.property("answered").toBool()) {
    socket.readAll();  // a connection gets only one answer
    return;
  }
  const QByteArray head = socket.peek(kMostRequestBytes + 1);
  const bool whole = head.contains("\r\n\r\n") || head.contains("\n\n");
  if (!whole) {
    if (head.size() > kMostRequestBytes) socket.abort();  // no browser sends such a head
    return;
  }
  socket.setProperty("answered", true);
  socket.readAll();
  const QList<QByteArray> words = head.left(head.indexOf('\n')).trimmed().split(' ');
  if (words.size() != 3 || !words[2].startsWith("HTTP/1."))
    return send(socket, {"400 Bad Request", "text/plain", "400\n", {}}, true);
  send(socket, answerTo(words[0], words[1]), words[0] != "HEAD");
}

PageServer::Answer PageServer::answerTo(const QByteArray& method, const QByteArray& target) const {
  if (method != "GET" && method != "HEAD")
    return {"405 Method Not Allowed", "text/plain", "405\n", "Allow: GET, HEAD\r\n"};
  const QByteArray path = '/' + token_;
  if (target == path || target == path + '/') return {"200 OK", "text/html; charset=utf-8", page_, {}};
  if (target == path + '/' + fileName_)
    return {"200 OK", "application/octet-stream", file_, "Content-Disposition: attachment\r\n"};
  return {"404 Not Found", "text/plain", "404\n", {}};
}

void PageServer::send(QTcpSocket& socket, const Answer& answer, bool withBody) {
  socket.write("HTTP/1.1 " + answer.status + "\r\nContent-Type: " + answer.type +
               "\r\nContent-Length: " + QByteArray::number(answer.body.size()) +
               "\r\nConnection: close\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n"
               "Referrer-Policy: no-referrer\r\nContent-Security-Policy: default-src 'none'; img-src data:; style-src "
               "'unsafe-inline'\r\n" +
               answer.more + "\r\n");
  if (withBody) socket.write(answer.body);
  socket.disconnectFromHost();  // takes effect when all is written
}

}  // namespace lab
